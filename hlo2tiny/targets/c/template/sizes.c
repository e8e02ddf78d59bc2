#ifdef MODEL_SIZES
API const struct model_sizes *model_describe_sizes(void) {
  static const struct model_sizes sizes = {MODEL_SIZES, size_names, PLANS, choices};
  return &sizes;
}

API const struct model_info *model_describe_for(const int64_t *sizes) {
  const size_t plan = plan_for(sizes);
  return plan < PLANS ? infos[plan] : 0;
}

API int model_run_for(model_context *context, const int64_t *sizes, const void *const *inputs, void *const *outputs) {
  const size_t plan = plan_for(sizes);
  return plan < PLANS ? run(context, plan, inputs, outputs) : MODEL_NO_SIZES;
}
#endif
