"""A regression with an unknown noise, by variational inference and by NUTS."""

import jax
import jax.numpy as jnp
import numpyro
import numpyro.distributions as dist
from numpyro.infer import MCMC, NUTS, SVI, Trace_ELBO
from numpyro.infer.autoguide import AutoNormal

x = jnp.linspace(-1, 1, 40)
y = 2 * x - 0.5 + 0.2 * jax.random.normal(jax.random.key(3), (40,))


def model(x, y=None):
    slope = numpyro.sample("slope", dist.Normal(0, 3))
    offset = numpyro.sample("offset", dist.Normal(0, 3))
    noise = numpyro.sample("noise", dist.HalfNormal(1))
    numpyro.sample("y", dist.Normal(slope * x + offset, noise), obs=y)


result = SVI(model, AutoNormal(model), numpyro.optim.Adam(0.05), Trace_ELBO()).run(
    jax.random.key(4), 50, x, y, progress_bar=False
)
for loss in result.losses[::10]:
    print(float(loss))
chain = MCMC(NUTS(model), num_warmup=100, num_samples=100, progress_bar=False)
chain.run(jax.random.key(5), x, y)
# Chains part at the first rounding, so only what they agree on is compared.
samples = chain.get_samples()
for name in sorted(samples):
    print(round(float(samples[name].mean()), 1))
