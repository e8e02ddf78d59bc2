#ifdef MODEL_SIZES
/* The number of the plan for some sizes; PLANS if there is none. */
static size_t plan_for(const int64_t *sizes) {
  for (size_t plan = 0; plan < PLANS; plan++)
    if (!__builtin_memcmp(choices + plan * MODEL_SIZES, sizes, MODEL_SIZES * sizeof *sizes)) return plan;
  return PLANS;
}

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
