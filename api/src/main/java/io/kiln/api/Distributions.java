package io.kiln.api;

/// Quantiles for the intervals around estimates.
final class Distributions {
  /// Above this mean the Poisson distribution is taken from the normal one.
  private static final double LARGE_MEAN = 1000;

  private static final double[] A = {
    -3.969683028665376e+01, 2.209460984245205e+02, -2.759285104469687e+02,
    1.383577518672690e+02, -3.066479806614716e+01, 2.506628277459239e+00
  };
  private static final double[] B = {
    -5.447609879822406e+01,
    1.615858368580409e+02,
    -1.556989798598866e+02,
    6.680131188771972e+01,
    -1.328068155288572e+01,
    1
  };
  private static final double[] C = {
    -7.784894002430293e-03, -3.223964580411365e-01, -2.400758277161838e+00,
    -2.549732539343734e+00, 4.374664141464968e+00, 2.938163982698783e+00
  };
  private static final double[] D = {
    7.784695709041462e-03, 3.224671290700398e-01, 2.445134137142996e+00, 3.754408661907416e+00, 1
  };

  private Distributions() {}

  /// Of the standard normal distribution, by Acklam's rational approximation; relative error below
  /// 1.2e-9.
  static double normalQuantile(double probability) {
    if (probability <= 0 || probability >= 1) {
      return probability <= 0 ? Double.NEGATIVE_INFINITY : Double.POSITIVE_INFINITY;
    }
    double tail = Math.min(probability, 1 - probability);
    if (tail < 0.02425) {
      double q = Math.sqrt(-2 * Math.log(tail));
      double quantile = polynomial(C, q) / polynomial(D, q);
      return probability < 0.5 ? quantile : -quantile;
    }
    double q = probability - 0.5;
    double r = q * q;
    return polynomial(A, r) * q / polynomial(B, r);
  }

  private static double polynomial(double[] coefficients, double x) {
    double sum = 0;
    for (double coefficient : coefficients) {
      sum = sum * x + coefficient;
    }
    return sum;
  }

  /// Of Student's distribution: exact for 1 and 2 degrees of freedom; else by the expansion around
  /// the normal quantile (Abramowitz and Stegun 26.7.5), within 1 % at usual confidences.
  static double studentQuantile(double probability, long degrees) {
    if (degrees < 1) {
      return probability < 0.5 ? Double.NEGATIVE_INFINITY : Double.POSITIVE_INFINITY;
    }
    if (degrees == 1) {
      return Math.tan(Math.PI * (probability - 0.5));
    }
    if (degrees == 2) {
      double centred = 2 * probability - 1;
      return centred * Math.sqrt(2 / (1 - centred * centred));
    }
    double z = normalQuantile(probability);
    double z2 = z * z;
    double v = degrees;
    double g1 = z * (z2 + 1) / 4;
    double g2 = z * ((5 * z2 + 16) * z2 + 3) / 96;
    double g3 = z * (((3 * z2 + 19) * z2 + 17) * z2 - 15) / 384;
    double g4 = z * ((((79 * z2 + 776) * z2 + 1482) * z2 - 1920) * z2 - 945) / 92160;
    return z + (g1 + (g2 + (g3 + g4 / v) / v) / v) / v;
  }

  /// The smallest number of events that is not exceeded with `probability`.
  static double poissonQuantile(double probability, double mean) {
    if (mean <= 0) {
      return 0;
    }
    if (mean > LARGE_MEAN) {
      double z = normalQuantile(probability);
      return Math.max(0, Math.floor(mean + z * Math.sqrt(mean) + (z * z - 1) / 6 + 0.5));
    }
    double log = -mean; // of a term, as the terms themselves may be too small for a double
    double cumulative = 0;
    for (long events = 0; ; events++) {
      double term = Math.exp(log);
      cumulative += term;
      if (cumulative >= probability || (events > mean && term < 1e-18)) {
        return events;
      }
      log += Math.log(mean / (events + 1));
    }
  }
}
