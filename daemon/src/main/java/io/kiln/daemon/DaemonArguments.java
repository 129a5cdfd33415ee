package io.kiln.daemon;

import io.kiln.base.settings.Setting;
import io.kiln.base.settings.Settings;
import io.kiln.launcher.Refusal;
import io.kiln.network.transport.ListenPort;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// The words that a daemon is started with, and what the environment says where they say nothing.
public final class DaemonArguments {
  private static final int MAX_PORT = 0xFFFF;

  /// An option of a daemon.
  ///
  /// @param spellings as users know them; the first is used in messages
  /// @param variable of the environment; may be empty
  public record Option(List<String> spellings, String variable) {
    public static Option of(String variable, String... spellings) {
      return new Option(List.of(spellings), variable);
    }
  }

  private final Map<Option, String> values = new HashMap<>();
  private final Map<Option, String> origins = new HashMap<>();
  private final List<String> rest = new ArrayList<>();

  /// @param usage what is said of words that are not understood
  /// @throws Refusal if a word is not understood
  public DaemonArguments(
      List<String> words, List<Option> options, Map<String, String> environment, String usage) {
    for (Option option : options) {
      String value = environment.getOrDefault(option.variable(), "");
      if (!value.isEmpty()) {
        values.put(option, value);
        origins.put(option, option.variable());
      }
    }
    for (int i = 0; i < words.size(); i++) {
      String word = words.get(i);
      Optional<Option> named =
          options.stream().filter(option -> option.spellings().contains(word)).findFirst();
      if (named.isPresent()) {
        if (i + 1 == words.size()) {
          throw new Refusal(word + " needs a value; " + usage);
        }
        values.put(named.get(), words.get(++i));
        origins.put(named.get(), word);
      } else if (word.startsWith("-")) {
        throw new Refusal("Unknown option '" + word + "'; " + usage);
      } else {
        rest.add(word);
      }
    }
  }

  /// What is no option.
  public List<String> rest() {
    return rest;
  }

  public Optional<String> find(Option option) {
    return Optional.ofNullable(values.get(option));
  }

  /// @param usual where nobody has named one
  /// @throws Refusal if it is no port
  public ListenPort listenPort(Settings settings, Option option, int usual) {
    String name = option.spellings().getFirst();
    return port(option)
        .map(port -> ListenPort.named(settings, port, name))
        .orElseGet(() -> ListenPort.usual(settings, usual, name));
  }

  /// @param setting which names one where the option doesn't
  /// @param usual where neither does
  /// @throws Refusal if it is no port
  public ListenPort listenPort(
      Settings settings, Option option, Setting<Integer> setting, int usual) {
    return port(option).isEmpty() && settings.isSet(setting)
        ? ListenPort.of(settings, setting)
        : listenPort(settings, option, usual);
  }

  private Optional<Integer> port(Option option) {
    return number(option, 0, MAX_PORT, "a port from 0 to 65535");
  }

  /// @throws Refusal if it is no whole number from 1
  public Optional<Integer> count(Option option) {
    return number(option, 1, Integer.MAX_VALUE, "a whole number from 1");
  }

  private Optional<Integer> number(Option option, int min, int max, String what) {
    String text = values.get(option);
    if (text == null) {
      return Optional.empty();
    }
    try {
      int number = Integer.parseInt(text);
      if (number >= min && number <= max) {
        return Optional.of(number);
      }
    } catch (NumberFormatException e) {
      // said below
    }
    throw refusal(option, what);
  }

  public Refusal refusal(Option option, String what) {
    return new Refusal(
        origins.get(option) + " is '" + values.get(option) + "'; it must be " + what);
  }
}
