/* The sizes that there is code for; -1: any. */
static const int64_t choices[] = {@CHOICES@};

/* The number of the plan for some sizes; PLANS if there is none. */
static size_t plan_for(const int64_t *sizes) {
  for (size_t plan = 0; plan < PLANS; plan++) {
    const int64_t *const chosen = choices + plan * MODEL_SIZES;
    size_t i = 0;
    while (i < MODEL_SIZES && (chosen[i] < 0 || chosen[i] == sizes[i])) i++;
    if (i == MODEL_SIZES) return plan;
  }
  return PLANS;
}
