package io.kiln.dist;

import static org.assertj.core.api.Assertions.assertThat;

import io.kiln.api.KilnConf;
import io.kiln.base.settings.Settings;
import io.kiln.base.settings.SettingsCheck;
import io.kiln.dist.ConsoleSession.Result;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/// Does what a page of the documents shows, from its beginning to its end, in one shell.
final class PageRun {

  /// How long an answer may be another than the page shows.
  private static final long ANSWER_NANOS = TimeUnit.SECONDS.toNanos(60);

  private static final long POLL_NANOS = TimeUnit.MILLISECONDS.toNanos(300);

  /// What a page shows and no test runs as it is shown.
  ///
  /// @param beginning of the command or of the block
  /// @param reason why not, and what tries it instead
  record NotRun(String page, String beginning, String reason) {}

  /// What a reader is to do with a program of which the page shows a part.
  interface Use {
    void of(String shown) throws Exception;
  }

  private final String page;
  private final List<NotRun> notRun;
  private final ShownOutput output = new ShownOutput();
  private final Map<String, String> replacements = new LinkedHashMap<>();
  private final Map<String, String> before = new HashMap<>();
  private final Map<String, String> after = new HashMap<>();
  private final Map<String, Use> uses = new HashMap<>();
  private final List<String> faults = new ArrayList<>();

  /// @param page its path in the source tree
  /// @param notRun of all pages
  PageRun(String page, List<NotRun> notRun) {
    this.page = page;
    this.notRun =
        new ArrayList<>(notRun.stream().filter(entry -> entry.page().equals(page)).toList());
  }

  /// Has another text where the page's own stands for what each reader has himself.
  PageRun with(String placeholder, Object real) {
    replacements.put(placeholder, real.toString());
    return this;
  }

  /// What the text of a section presupposes.
  PageRun before(String section, String command) {
    before.put(section, command);
    return this;
  }

  /// What shows that a section's blocks have done what the text says.
  PageRun after(String section, String command) {
    after.put(section, command);
    return this;
  }

  /// What is to be done with a section's block of Java or of settings.
  PageRun use(String section, Use use) {
    uses.put(section, use);
    return this;
  }

  /// @param directory the one from which the page's commands are given
  void run(ConsoleSession session, Path directory) throws Exception {
    List<NotRun> needless = new ArrayList<>(notRun);
    String section = "";
    for (ShownBlock block : ShownBlock.of(Layout.CHECKOUT.resolve(page))) {
      if (!block.section().equals(section)) {
        presuppose(session, after.remove(section));
        section = block.section();
        presuppose(session, before.remove(section));
      }
      Optional<NotRun> exception = exception(block.text());
      if (exception.isPresent() && block.commands().isEmpty()) {
        needless.remove(exception.get());
        continue;
      }
      for (ShownCommand command : block.commands()) {
        Optional<NotRun> unrun = exception(command.text());
        if (unrun.isPresent()) {
          needless.remove(unrun.get());
        } else {
          run(session, command);
        }
      }
      if (block.commands().isEmpty()) {
        use(block, directory);
      }
    }
    presuppose(session, after.remove(section));
    assertThat(faults).as("what %s shows and does not happen so", page).isEmpty();
    assertThat(needless).as("what is run after all").isEmpty();
    assertThat(before).as("sections that are not there").isEmpty();
    assertThat(after).as("sections that are not there").isEmpty();
    assertThat(uses).as("sections without such a block").isEmpty();
  }

  private Optional<NotRun> exception(String text) {
    return notRun.stream().filter(entry -> text.startsWith(entry.beginning())).findFirst();
  }

  private void presuppose(ConsoleSession session, String command) throws Exception {
    if (command != null) {
      Result result = session.run(output.withRealIds(command), List.of());
      assertThat(result.exitCode()).as("%s of %s: %s", command, page, result.lines()).isZero();
    }
  }

  private void use(ShownBlock block, Path directory) throws Exception {
    Use use = uses.remove(block.section());
    if (block.language().equals("properties")) {
      check(block);
    }
    if (use != null) {
      use.of(block.text());
    } else if (!block.file().isEmpty()) {
      Path file = directory.resolve(block.file());
      Files.createDirectories(file.getParent());
      Files.writeString(file, block.text());
    } else if (!block.language().equals("properties")) {
      faults.add("nothing runs this, and no entry says why: " + block);
    }
  }

  private void check(ShownBlock block) {
    KilnConf conf = new KilnConf();
    for (String line : block.lines()) {
      String[] words = line.split("\\s+", 2);
      conf.set(words[0], words[1]);
    }
    for (String warning : SettingsCheck.warnings(Settings.of(conf))) {
      faults.add(warning);
    }
  }

  private void run(ConsoleSession session, ShownCommand command) throws Exception {
    List<String> shown = command.output().stream().map(this::replaced).toList();
    String text = replaced(command.text());
    long end = System.nanoTime() + ANSWER_NANOS;
    while (true) {
      Result result = session.run(output.withRealIds(text), command.typed());
      Optional<String> missing = output.missing(shown, result.lines());
      boolean asShown = missing.isEmpty() && (result.exitCode() != 0) == command.fails();
      if (asShown) {
        return;
      }
      if (!command.asks() || System.nanoTime() - end > 0) {
        faults.add(
            "%s%n  printed, and ended with %d:%n    %s%n  not shown there: %s"
                .formatted(
                    text,
                    result.exitCode(),
                    String.join("\n    ", result.lines()),
                    missing.orElse("nothing; the exit code is another")));
        return;
      }
      LockSupport.parkNanos(POLL_NANOS);
    }
  }

  private String replaced(String text) {
    String result = text;
    for (Map.Entry<String, String> replacement : replacements.entrySet()) {
      result = result.replace(replacement.getKey(), replacement.getValue());
    }
    return result;
  }
}
