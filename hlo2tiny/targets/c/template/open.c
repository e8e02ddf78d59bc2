API int model_check_sizes(const int64_t *sizes) {
@CHECKS@
  return MODEL_OK;
}

API const struct model_sizes *model_describe_sizes(void) {
  static const struct model_sizes sizes = {MODEL_SIZES, size_names, most_sizes};
  return &sizes;
}

API const struct model_info *model_describe_for(const int64_t *sizes) {
  return model_check_sizes(sizes) ? 0 : described(sizes);
}

API int model_run_for(model_context *context, const int64_t *sizes, const void *const *inputs, void *const *outputs) {
  const int failed = model_check_sizes(sizes);
  return failed ? failed : run(context, plan_for(sizes), inputs, outputs, sizes);
}
