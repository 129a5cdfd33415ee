package io.kiln.api;

import java.util.Collection;

/// Checks of what a program gives to an operation: a mistake fails at the call, with its name.
final class Arguments {

  private Arguments() {}

  /// @return the argument
  /// @throws KilnException `ARGUMENT_NULL`
  static <T> T present(T argument, String operation, String name) {
    if (argument == null) {
      throw new KilnException(
          "ARGUMENT_NULL",
          KilnException.Kind.USER,
          "%s was given null as its %s; give a value".formatted(operation, name));
    }
    return argument;
  }

  /// @return the arguments
  /// @throws KilnException `ARGUMENT_NULL` if they are, or one of them is, `null`
  static <C extends Collection<?>> C allPresent(C arguments, String operation, String name) {
    for (Object argument : present(arguments, operation, name)) {
      present(argument, operation, name);
    }
    return arguments;
  }

  /// @return the number
  /// @throws KilnException `PARTITIONS_NOT_POSITIVE`
  static int partitions(int number) {
    if (number < 1) {
      throw new KilnException(
          "PARTITIONS_NOT_POSITIVE",
          KilnException.Kind.USER,
          "an RDD can't be put into " + number + " partitions; give 1 or more");
    }
    return number;
  }
}
