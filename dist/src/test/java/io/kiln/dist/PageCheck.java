package io.kiln.dist;

import io.kiln.base.settings.SettingRegistry;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/// Finds what a page names and the source tree does not have: files and headings behind links,
/// classes and their members, packages, settings.
///
/// A name is what stands in backticks, outside of fenced blocks. A part of a setting's key in
/// capitals stands for what the reader puts there, so such keys are not looked up. Immutable.
final class PageCheck {

  private static final Pattern FENCED = Pattern.compile("(?ms)^ *```.*?^ *```$");
  private static final Pattern LINK = Pattern.compile("\\]\\(([^)\\s]+)\\)");
  private static final Pattern HEADING = Pattern.compile("(?m)^#+ +(.*)$");
  private static final Pattern CODE = Pattern.compile("`([^`\n]+)`");
  private static final Pattern TEST = Pattern.compile("-Dtest='?([A-Z]\\w*)");
  private static final Pattern FULL_NAME = Pattern.compile("io\\.kiln((?:\\.[a-z]\\w*)*)(.*)");
  private static final Pattern PACKAGE = Pattern.compile("[a-z]+(?:\\.[a-z]+)+");
  private static final Pattern CLASS =
      Pattern.compile("([A-Z]\\w*[a-z]\\w*)(?:\\.(\\w+))?(?:[(<].*)?");
  private static final Pattern SETTING = Pattern.compile("spark(?:\\.[a-z]\\w*)+");

  private final SourceNames sources;
  private final Set<String> othersNames;

  /// @param othersNames what pages name and somebody else defines, or what only looks like a name
  PageCheck(SourceNames sources, Set<String> othersNames) {
    this.sources = sources;
    this.othersNames = othersNames;
  }

  /// Names in the columns of other software are not looked up: only a table's last column is.
  List<String> faultsOfTables(Path page) throws IOException {
    String prose =
        prose(page)
            .lines()
            .map(line -> line.startsWith("| ") ? lastCell(line) : line)
            .collect(Collectors.joining("\n"));
    return faults(page, prose);
  }

  List<String> faults(Path page) throws IOException {
    return faults(page, prose(page));
  }

  private List<String> faults(Path page, String prose) throws IOException {
    List<String> faults = deadLinks(page);
    for (String code : codes(prose)) {
      fault(code).ifPresent(fault -> faults.add("`" + code + "`: " + fault));
    }
    return faults;
  }

  /// Links alone, for pages that tell of what was.
  List<String> deadLinks(Path page) throws IOException {
    List<String> faults = new ArrayList<>();
    for (MatchResult link : LINK.matcher(prose(page)).results().toList()) {
      String target = link.group(1);
      if (!target.matches("(https?|mailto):.*")) {
        deadLink(page, target).ifPresent(fault -> faults.add("(" + target + "): " + fault));
      }
    }
    return faults;
  }

  private static Optional<String> deadLink(Path page, String target) throws IOException {
    int hash = target.indexOf('#');
    String name = hash < 0 ? target : target.substring(0, hash);
    Path file = name.isEmpty() ? page : page.resolveSibling(name).normalize();
    if (!Files.exists(file)) {
      return Optional.of("there is no such file");
    }
    return hash < 0 || anchors(file).contains(target.substring(hash + 1))
        ? Optional.empty()
        : Optional.of("the page has no such heading");
  }

  /// The anchors that headings get where the pages are shown.
  private static Set<String> anchors(Path page) throws IOException {
    return HEADING
        .matcher(prose(page))
        .results()
        .map(
            heading ->
                heading
                    .group(1)
                    .toLowerCase(Locale.ROOT)
                    .replaceAll("[^\\p{L}\\p{N} _-]", "")
                    .replace(' ', '-'))
        .collect(Collectors.toSet());
  }

  private Optional<String> fault(String code) {
    if (othersNames.contains(code)) {
      return Optional.empty();
    }
    Matcher test = TEST.matcher(code);
    if (test.find()) {
      return classFault(test.group(1), "");
    }
    Matcher fullName = FULL_NAME.matcher(code);
    if (fullName.matches()) {
      return fullNameFault(fullName.group(1), fullName.group(2));
    }
    if (PACKAGE.matcher(code).matches() && sources.hasPackage(code.split("\\.", 2)[0])) {
      return sources.hasPackage(code) ? Optional.empty() : Optional.of("no such package");
    }
    Matcher aClass = CLASS.matcher(code);
    if (aClass.matches()) {
      return classFault(aClass.group(1), aClass.group(2) == null ? "" : aClass.group(2));
    }
    return SETTING.matcher(code).matches() && SettingRegistry.find(code).isEmpty()
        ? Optional.of("no such setting")
        : Optional.empty();
  }

  private Optional<String> fullNameFault(String packageName, String rest) {
    if (!packageName.isEmpty() && !sources.hasPackage(packageName.substring(1))) {
      return Optional.of("no such package");
    }
    Matcher aClass = CLASS.matcher(rest.startsWith(".") ? rest.substring(1) : rest);
    return aClass.matches() ? classFault(aClass.group(1), "") : Optional.empty();
  }

  private Optional<String> classFault(String name, String member) {
    if (othersNames.contains(name)) {
      return Optional.empty();
    }
    if (!sources.hasClass(name)) {
      return Optional.of("no such class");
    }
    return member.isEmpty() || sources.hasMember(name, member)
        ? Optional.empty()
        : Optional.of("the class has no such member");
  }

  private static Set<String> codes(String prose) {
    return CODE.matcher(prose)
        .results()
        .map(match -> match.group(1))
        .collect(Collectors.toCollection(LinkedHashSet::new));
  }

  private static String lastCell(String row) {
    String[] cells = row.split("(?<!\\\\)\\|");
    return cells[cells.length - 1];
  }

  private static String prose(Path page) throws IOException {
    return FENCED.matcher(Files.readString(page)).replaceAll("");
  }
}
