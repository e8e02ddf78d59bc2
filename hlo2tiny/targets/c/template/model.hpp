// The interface of model.h for C++20: arrays are spans of the right size, errors are exceptions.

#ifndef MODEL_HPP
#define MODEL_HPP

#include <cstdint>
#include <span>
#include <stdexcept>
#include <string>
#include <utility>

#include "model.h"

// A context: threads that run the program at the same time need one each.
class Model {
 public:
  explicit Model(const std::string &weights = "weights.safetensors", int threads = 0) {
    expect(model_create(&context, weights.c_str(), threads), nullptr);
  }
  Model(Model &&other) noexcept : context(std::exchange(other.context, nullptr)) {}
  Model &operator=(Model &&other) noexcept {
    std::swap(context, other.context);
    return *this;
  }
  ~Model() { model_destroy(context); }

  void operator()(@SPANS@) {
@CHECKS@    expect(model_run(context@DATA@), context);
  }

 private:
  static void expect(int code, [[maybe_unused]] const model_context *context) {
#ifdef MODEL_HANDLERS
    if (code == MODEL_HANDLER_FAILED) throw std::runtime_error(model_failure(context));
#endif
    if (code) throw std::runtime_error(model_error(code));
  }
@EXPECT_SIZE@  model_context *context = nullptr;
};

#endif
