"""A linear model, fitted by Adam with a schedule and clipped gradients."""

import jax
import jax.numpy as jnp
import optax

key, noise = jax.random.split(jax.random.key(0))
x = jax.random.normal(key, (128, 8))
y = x @ jnp.arange(8.0) + 0.1 * jax.random.normal(noise, (128,))
schedule = optax.cosine_decay_schedule(0.3, 60)
optimizer = optax.chain(optax.clip_by_global_norm(1.0), optax.adamw(schedule, weight_decay=1e-3))


def loss_of(weights):
    return optax.huber_loss(x @ weights["w"] + weights["b"], y).mean()


@jax.jit
def step(weights, state):
    loss, slopes = jax.value_and_grad(loss_of)(weights)
    updates, state = optimizer.update(slopes, state, weights)
    return optax.apply_updates(weights, updates), state, loss


weights = {"w": jnp.zeros(8), "b": jnp.zeros(())}
state = optimizer.init(weights)
for number in range(60):
    weights, state, loss = step(weights, state)
    if number % 6 == 0:
        print(float(loss))
