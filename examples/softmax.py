"""Multinomial logistic regression on handwritten digits, with the stable softmax.

Softmax is exp(u) / sum(exp(u)), which overflows for large u; subtracting the maximum first changes nothing but that.
The maximum is a constant as far as the gradient goes, and tg.stop_gradient says so: the gradient graph then holds no
op for it.

    tidegate explain examples/softmax.py:loss      where the gradient flows, and what stops it
    python examples/softmax.py                     trains it

Data: the 1,797 digits, 8x8, of scikit-learn (E. Alpaydin and C. Kaynak, UCI repository, 1998); the first 1,297 train.
"""

import numpy as np
from scipy.optimize import minimize
from sklearn.datasets import load_digits

import tidegate as tg

TRAIN = 1297
PIXELS, CLASSES = 64, 10


def digits():
    """(images, labels) to train on and to test on: float64 in 0 to 1, and int64."""
    images, labels = load_digits(return_X_y=True)
    images = images / 16.0
    return (images[:TRAIN], labels[:TRAIN]), (images[TRAIN:], labels[TRAIN:])


def stable_softmax(logits):
    """Probabilities along the last axis; finite for any finite logits."""
    shifted = logits - tg.stop_gradient(tg.max(logits, axis=-1, keepdims=True))
    numerators = tg.exp(shifted)
    return numerators / tg.sum(numerators, axis=-1, keepdims=True)


def example_inputs():
    """Weights and biases of zero, and the training digits."""
    (images, labels), _ = digits()
    return {"W": np.zeros((PIXELS, CLASSES)), "b": np.zeros(CLASSES), "images": images, "labels": labels}


@tg.example(example_inputs)
def loss(W, b, images, labels):
    """The negative log-likelihood of the labels, summed, plus half the squared norm of the weights.

    W: (64, 10), b: (10), images: (n, 64) floats; labels: (n) integers.
    """
    probabilities = stable_softmax(images @ W + b)
    chosen = tg.expand_dims(labels, axis=1) == tg.arange(CLASSES)
    likelihood = tg.sum(tg.where(chosen, probabilities, 0.0), axis=1)
    return -tg.sum(tg.log(likelihood)) + 0.5 * tg.sum(W * W)


def train(images, labels):
    """(W, b, the loss there), by L-BFGS from zero."""
    value_and_grad = tg.value_and_grad(loss, argnums=(0, 1))

    def split(flat):
        return flat[: PIXELS * CLASSES].reshape(PIXELS, CLASSES), flat[PIXELS * CLASSES :]

    def objective(flat):
        value, gradients = value_and_grad(*split(flat), images, labels)
        return float(value), np.concatenate([g.numpy().ravel() for g in gradients])

    options = {"maxiter": 2000, "maxfun": 4000, "ftol": 1e-14, "gtol": 1e-5, "maxcor": 30}
    found = minimize(objective, np.zeros((PIXELS + 1) * CLASSES), jac=True, method="L-BFGS-B", options=options)
    return *split(found.x), found.fun


def accuracy(W, b, images, labels):
    """The share of the labels that the largest logit names."""
    return float(np.mean(np.argmax(images @ W + b, axis=1) == labels))


def main():
    """Train, and print the figures beside scikit-learn's."""
    (train_images, train_labels), (test_images, test_labels) = digits()
    W, b, value = train(train_images, train_labels)
    print(f"objective      {value:.6f}   scikit-learn 268.138223")
    print(f"train accuracy {accuracy(W, b, train_images, train_labels):.5f}      scikit-learn 0.98998")
    print(f"test accuracy  {accuracy(W, b, test_images, test_labels):.3f}        scikit-learn 0.918")


if __name__ == "__main__":
    main()
