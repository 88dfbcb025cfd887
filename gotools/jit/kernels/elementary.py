"""exp, log and tanh by additions, multiplications and divisions alone: the same bits on every processor.

The C library's functions are not: it has several of each, with and without fused multiply-add, and takes those that the
processor is quickest with; their last bits differ, and learning makes games out of last bits. Errors here are below
one unit in the last place for exp and log, below two for tanh, which is odd to the last bit.

Source: exp and log as in fdlibm (Sun Microsystems 1993); tanh below 0.625 by the rational function of Cephes (Moshier).
"""

import numpy as np

from gotools.jit import inner, kernel

_LN2_HIGH, _LN2_LOW = 6.93147180369123816490e-01, 1.90821492927058770002e-10
LOG2_E = 1.44269504088896338700
_ROUNDER = 6755399441055744.0  # 1.5 * 2**52: what is added to it loses its fraction
_LARGEST, _LEAST = 709.782712893384, -745.1332191019411
_P1, _P2, _P3 = 1.66666666666666019037e-01, -2.77777777770155933842e-03, 6.61375632143793436117e-05
_P4, _P5 = -1.65339022054652515390e-06, 4.13813679705723846039e-08
_L1, _L2, _L3 = 6.666666666666735130e-01, 3.999999999940941908e-01, 2.857142874366239149e-01
_L4, _L5, _L6 = 2.222219843214978396e-01, 1.818357216161805012e-01, 1.531383769920937332e-01
_L7 = 1.479819860511658591e-01
_T1, _T2, _T3 = -9.64399179425052238628e-1, -9.92877231001918586564e1, -1.61468768441708447952e3
_U1, _U2, _U3 = 1.12811678491632931402e2, 2.23548839060100448583e3, 4.84406305325125486048e3
_FRACTION = (1 << 52) - 1
_SQRT_HALF = 0x6A09E667F3BCD
"""Fraction bits of the root of two: from there on a number counts as a little less than the next power of two."""
_TINY = 2.2250738585072014e-308


@inner
def _power_of_two(k):
    """Return 2.0**k for k in -1022 .. 1023."""
    return np.int64((k + 1023) << 52).view(np.float64)


@inner
def exp(x):
    """Return e**x: inf and 0 beyond the range of float64."""
    if not (x <= _LARGEST):
        return x if x != x else np.inf
    if x < _LEAST:
        return 0.0
    rounded = (x * LOG2_E + _ROUNDER) - _ROUNDER
    high, low = x - rounded * _LN2_HIGH, rounded * _LN2_LOW
    r = high - low
    t = r * r
    c = r - t * (_P1 + t * (_P2 + t * (_P3 + t * (_P4 + t * _P5))))
    y = 1.0 - ((low - (r * c) / (2.0 - c)) - high)
    k = int(rounded)
    if k > 1023:
        return y * 2.0 * _power_of_two(k - 1)
    if k < -1021:
        return y * _power_of_two(k + 60) * _power_of_two(-60)
    return y * _power_of_two(k)


@inner
def log(x):
    """Return the natural logarithm: -inf of 0, nan of negative numbers."""
    if not (x > 0.0):
        return -np.inf if x == 0.0 else np.nan
    if x == np.inf:
        return x
    k = 0
    if x < _TINY:
        x *= _power_of_two(54)
        k = -54
    bits = np.float64(x).view(np.int64)
    fraction = bits & _FRACTION
    k += (bits >> 52) - 1023
    if fraction >= _SQRT_HALF:
        k += 1
        m = np.int64(fraction | (1022 << 52)).view(np.float64)
    else:
        m = np.int64(fraction | (1023 << 52)).view(np.float64)
    f = m - 1.0
    s = f / (2.0 + f)
    z = s * s
    w = z * z
    r = z * (_L1 + w * (_L3 + w * (_L5 + w * _L7))) + w * (_L2 + w * (_L4 + w * _L6))
    half = 0.5 * f * f
    return k * _LN2_HIGH - ((half - (s * (half + r) + k * _LN2_LOW)) - f)


@inner
def tanh(x):
    """Return the hyperbolic tangent."""
    far = abs(x)
    if far < 0.625:
        z = x * x
        return x + x * (z * (((_T1 * z + _T2) * z + _T3) / (((z + _U1) * z + _U2) * z + _U3)))
    y = 1.0 - 2.0 / (exp(2.0 * far) + 1.0)
    return y if x > 0.0 else -y


@kernel
def exp_all(values, out):
    """Fill out float64[n] with the exponentials of float64[n]."""
    for i in range(values.shape[0]):
        out[i] = exp(values[i])


@kernel
def log_all(values, out):
    """Fill out float64[n] with the natural logarithms of float64[n]."""
    for i in range(values.shape[0]):
        out[i] = log(values[i])


@kernel
def tanh_all(values, out):
    """Fill out float64[n] with the hyperbolic tangents of float64[n]."""
    for i in range(values.shape[0]):
        out[i] = tanh(values[i])
