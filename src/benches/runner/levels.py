"""Student's intervals over the levels of fresh processes, as `src/library/measure/levels.rs` has them."""

import math


def t95(freedom):
    """The two-sided 95 % point of Student's distribution with so many degrees of freedom."""
    scale = math.exp(math.lgamma((freedom + 1) / 2) - math.lgamma(freedom / 2)) / math.sqrt(freedom * math.pi)

    def inside(t, steps=400):
        # Simpson's rule over half of the symmetric density.
        values = [scale * (1 + (t * at / steps) ** 2 / freedom) ** (-(freedom + 1) / 2) for at in range(steps + 1)]
        return 2 * t / steps / 3 * (values[0] + values[-1] + 4 * sum(values[1:-1:2]) + 2 * sum(values[2:-1:2]))

    low, high = 0.0, 100.0
    while high - low > 1e-6:
        middle = (low + high) / 2
        low, high = (middle, high) if inside(middle) < 0.95 else (low, middle)
    return high


def mean(values):
    return sum(values) / len(values)


def deviation(values):
    """The standard deviation (n - 1)."""
    middle = mean(values)
    return math.sqrt(sum((value - middle) ** 2 for value in values) / (len(values) - 1))


def interval(levels, pilot=None):
    """Where the mean level of all processes lies with 95 % confidence, by the deviation of the pilot (Stein)."""
    first = levels[:pilot]
    half = t95(len(first) - 1) * deviation(first) / math.sqrt(len(levels))
    return mean(levels) - half, mean(levels) + half


def difference(ours, theirs, pilot=None):
    """The 95 % interval of the difference of two measurements (Welch), each by the deviation of its pilot."""
    squares = [(deviation(levels[:pilot]) ** 2 / len(levels), len(levels[:pilot]) - 1) for levels in (ours, theirs)]
    error = sum(square for square, _ in squares)
    freedom = error ** 2 / sum(square ** 2 / own for square, own in squares) if error else 1
    half = t95(freedom) * math.sqrt(error)
    middle = mean(ours) - mean(theirs)
    return middle - half, middle + half


def share(held, of):
    """How many of a hundred, and where that lies with 95 % confidence (Wilson)."""
    z, rate = 1.959964, held / of
    middle = (rate + z * z / (2 * of)) / (1 + z * z / of)
    half = z / (1 + z * z / of) * math.sqrt(rate * (1 - rate) / of + z * z / (4 * of * of))
    return f"{100 * rate:.1f} ({100 * max(middle - half, 0):.0f} to {100 * min(middle + half, 1):.0f})"


def holds(bounds, value):
    low, high = bounds
    return low <= value <= high
