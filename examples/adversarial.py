"""Adversarial training on handwritten digits: the perturbation is a constant of the training gradient.

The worst perturbation of an image is found by gradients of the loss for the image; the network then trains on the
perturbed image, and its gradient must not pass through how that was found. With steps of one length (the l2 norm) a
missing stop gives another gradient. With steps of sign (l-infinity) it gives the same one, since sign has none, and
costs several times the graph.

    tidegate explain examples/adversarial.py:robust_loss    where the gradient flows, and what stops it
    python examples/adversarial.py [--quick]                networks undefended and trained, under attack

Goodfellow, Shlens, Szegedy, arXiv 1412.6572, 2015 (one step); Madry, Makelov, Schmidt, Tsipras, Vladu, arXiv
1706.06083, 2018 (projected gradient descent, PGD).
Data: the 1,797 digits, 8x8, of scikit-learn (E. Alpaydin and C. Kaynak, UCI repository, 1998); the first 1,297 train.
"""

import sys
from itertools import pairwise

import numpy as np
from sklearn.datasets import load_digits

import tidegate as tg
from figures import Figures, distance, options, progress

TRAIN, SIZES = 1297, (64, 128, 128, 10)
EPSILON, TRAIN_STEPS, ATTACK_STEPS = 0.2, 7, 40
EPOCHS, BATCH, RATE = 40, 64, 1e-3


def digits():
    """(images, labels) to train on and to test on: float32 in 0 to 1, and int64."""
    images, labels = load_digits(return_X_y=True)
    images = (images / 16.0).astype(np.float32)
    return (images[:TRAIN], labels[:TRAIN]), (images[TRAIN:], labels[TRAIN:])


def new_network(random):
    """Layers of weights of variance 2 / inputs, as relu wants them, and biases of 0."""
    return [
        {
            "W": (random.standard_normal((inputs, outputs)) * (2 / inputs) ** 0.5).astype(np.float32),
            "b": np.zeros(outputs, np.float32),
        }
        for inputs, outputs in pairwise(SIZES)
    ]


def logits(network, images):
    """Scores of the ten classes: (n, 10)."""
    for layer in network[:-1]:
        images = tg.relu(images @ layer["W"] + layer["b"])
    return images @ network[-1]["W"] + network[-1]["b"]


def loss(network, images, labels):
    """The mean cross-entropy."""
    return tg.cross_entropy(logits(network, images), labels)


def attacked(network, images, labels, begin, steps):
    """Images, within EPSILON of each pixel and in 0 to 1, on which the network does worse: PGD.

    begin: where in the box to begin, from -1 to 1.
    """
    lowest, highest = tg.maximum(images - EPSILON, 0.0), tg.minimum(images + EPSILON, 1.0)
    found = tg.clip(images + EPSILON * begin, 0.0, 1.0)
    for _ in range(steps):
        slope = tg.grad(lambda x: loss(network, x, labels))(found)
        found = tg.clip(found + 2.5 * EPSILON / steps * tg.sign(slope), lowest, highest)
    return found


def example_inputs():
    """A new network, and eight digits."""
    (images, labels), _ = digits()
    random = np.random.default_rng(0)
    begin = random.uniform(-1, 1, (8, 64)).astype(np.float32)
    return {"network": new_network(random), "images": images[:8], "labels": labels[:8], "begin": begin}


@tg.example(example_inputs)
def robust_loss(network, images, labels, begin):
    """The loss on the images as two steps of attack leave them, which are constants."""
    return loss(network, tg.stop_gradient(attacked(network, images, labels, begin, 2)), labels)


class Adam:
    """The optimiser of Kingma and Ba, arXiv 1412.6980, 2015. network: Variables in a list of dicts."""

    def __init__(self, network, rate):
        self.places = [(layer, name) for layer in network for name in layer]
        self.rate = rate
        self.first, self.second = [[tg.Variable(np.zeros_like(v)) for v in self.variables()] for _ in range(2)]
        self.count = tg.Variable(0.0)

    def variables(self):
        """All of them."""
        return [layer[name] for layer, name in self.places]

    def step(self, gradient):
        """Move against the gradient, which has the network's structure."""
        self.count.assign_add(1.0)
        rate = self.rate * tg.sqrt(1.0 - 0.999**self.count) / (1.0 - 0.9**self.count)
        slopes = [layer[name] for layer in gradient for name in layer]
        for variable, first, second, slope in zip(self.variables(), self.first, self.second, slopes, strict=True):
            first.assign(0.9 * first + 0.1 * slope)
            second.assign(0.999 * second + 0.001 * slope * slope)
            variable.assign_sub(rate * first / (tg.sqrt(second) + 1e-8))


def trained(seed, steps, stop, label):
    """A network trained on images that so many steps of PGD perturb; on the images themselves, for 0 steps."""
    (images, labels), _ = digits()
    random = np.random.default_rng(seed)
    network = [{name: tg.Variable(value) for name, value in layer.items()} for layer in new_network(random)]
    adam = Adam(network, RATE)

    @tg.jit
    def update(images, labels, begin):
        def training_loss(network):
            return loss(network, stop(attacked(network, images, labels, begin, steps)) if steps else images, labels)

        adam.step(tg.grad(training_loss)(network))

    for _ in progress(range(EPOCHS), label):
        order = random.permutation(len(images))
        for first in range(0, len(images), BATCH):
            chosen = order[first : first + BATCH]
            update(images[chosen], labels[chosen], random.uniform(-1, 1, (len(chosen), 64)).astype(np.float32))
    return [{name: variable.numpy() for name, variable in layer.items()} for layer in network]


@tg.jit
def accuracies(network, images, labels, begin):
    """The share of images that the network names: of the images, and of what PGD makes of them."""
    worse = attacked(network, images, labels, begin, ATTACK_STEPS)
    named = [tg.argmax(logits(network, x), axis=1) == labels for x in (images, worse)]
    return [tg.mean(tg.astype(right, tg.float64)) for right in named]


def robustness(figures, seeds, stop):
    """Networks undefended and trained, on clean test images and under attack, beside torch's."""
    _, (images, labels) = digits()
    begin = np.random.default_rng(0).uniform(-1, 1, images.shape).astype(np.float32)
    rows = {}
    for steps in (0, TRAIN_STEPS):
        networks = [trained(seed, steps, stop, f"{steps} steps of PGD, seed {seed}") for seed in seeds]
        rows[steps] = np.mean([[x.item() for x in accuracies(n, images, labels, begin)] for n in networks], axis=0)
    figures.add("undefended: accuracy, clean", rows[0][0], "torch 0.9368 +- 0.0023")
    figures.add("undefended: under PGD", rows[0][1], "torch 0.0044 +- 0.0022", at_most=0.03)
    figures.add("trained: accuracy, clean", rows[TRAIN_STEPS][0], "torch 0.9060 +- 0.0113", at_least=0.87)
    figures.add("trained: under PGD", rows[TRAIN_STEPS][1], "torch 0.4412 +- 0.0084; noise 0.02", at_least=0.40)


NET = {"W": np.array([[0.5, -1.0], [1.5, 0.25]]), "v": np.array([1.0, -2.0])}
POINT = np.array([0.3, -0.7])
L2 = {"W": [[0.036049531688900, -0.269216369568761], [0.147551012330623, -1.101904685160636]],
      "v": [0.598878203784202, 0.003129942592684]}  # fmt: skip
SIGN = {"W": [[0.011654603380850, -0.269567579211869], [0.069927620285097, -1.617405475271214]],
        "v": [0.650892316812869, 0.067842073516497]}  # fmt: skip


def normalised(slope):
    """The step of length 1 along a gradient."""
    return slope / tg.vector_norm(slope)


def one_step(net, direction, stop):
    """The loss of a net of two tanh units where a step of 0.5 leads."""

    def net_loss(x):
        return tg.softplus(-(tg.tanh(x @ net["W"]) @ net["v"]))

    return net_loss(POINT + stop(0.5 * direction(tg.grad(net_loss)(POINT))))


def ops_added(direction, stop):
    """How many ops the gradient of a step's loss adds to the loss."""
    net = {name: tg.asarray(value) for name, value in NET.items()}
    value = one_step(net, direction, stop)
    found = tg.gradients(value, list(net.values()))
    return len(tg.show(value, *found).splitlines()) - len(tg.show(value).splitlines())


def small_net(figures, stop):
    """Gradients of one step beside torch's, and the size of their graph."""
    for name, direction, want in (("l2", normalised, L2), ("sign", tg.sign, SIGN)):
        off = distance(tg.grad(lambda net, d=direction: one_step(net, d, stop))(NET), want)
        figures.add(f"{name} step: gradient, off", off, "torch and TensorFlow", at_most=1e-12)
    half = ops_added(tg.sign, lambda x: x) / 2
    figures.add(
        "sign step: ops that its gradient adds", ops_added(tg.sign, stop), "half of those without", at_most=half
    )


def main(arguments=None):
    """Print the figures; 1 if one is missed."""
    chosen = options(arguments, "adversarial training on digits")
    net = {name: tg.asarray(value) for name, value in NET.items()}
    print(tg.flow.why(one_step(net, normalised, chosen.stop), net), end="\n\n")
    figures = Figures()
    small_net(figures, chosen.stop)
    robustness(figures, range(1 if chosen.quick else 3), chosen.stop)
    return figures.print(
        "off: the largest absolute difference. torch: the same settings, mean and deviation of 5 seeds; noise is\n"
        "training on random perturbations of the size. Bounds are of means of 3 seeds, and here of as many or 1."
    )


if __name__ == "__main__":
    sys.exit(main())
