package io.kiln.launcher;

/// The options of `spark-submit`: the one table that the launcher, `submit` and `--help` read.
///
/// An option that names a setting is another spelling of that setting, and stronger than `--conf`.
public enum SubmitOption {
  MASTER(
      "--master",
      "URL",
      Group.GENERAL,
      "spark.master",
      "MASTER",
      Check.NONE,
      "where to run: see Masters (default: local[*])"),
  DEPLOY_MODE(
      "--deploy-mode",
      "MODE",
      Group.GENERAL,
      "spark.submit.deployMode",
      "DEPLOY_MODE",
      Check.NONE,
      "where the driver runs: client (here, the default) or cluster"),
  CLASS(
      "--class",
      "CLASS",
      Group.GENERAL,
      "",
      "",
      Check.NONE,
      "the program's main class (default: the jar's Main-Class)"),
  NAME(
      "--name",
      "NAME",
      Group.GENERAL,
      "spark.app.name",
      "",
      Check.NONE,
      "the application's name (default: its main class)"),
  JARS(
      "--jars",
      "JARS",
      Group.GENERAL,
      "spark.jars",
      "",
      Check.NONE,
      "more jars for the driver and the tasks; comma-separated paths, globs and URIs"),
  FILES(
      "--files",
      "FILES",
      Group.GENERAL,
      "spark.files",
      "",
      Check.NONE,
      "files for KilnFiles.get(NAME), in driver and tasks; comma-separated, PATH#NAME renames"),
  CONF(
      "--conf",
      "KEY=VALUE",
      Group.GENERAL,
      "",
      "",
      Check.NONE,
      "any setting; may be given many times (also -c)"),
  PROPERTIES_FILE(
      "--properties-file",
      "FILE",
      Group.GENERAL,
      "",
      "",
      Check.NONE,
      "a file of settings, read in place of conf/spark-defaults.conf"),
  LOAD_SPARK_DEFAULTS(
      "--load-spark-defaults",
      "",
      Group.GENERAL,
      "",
      "",
      Check.NONE,
      "with --properties-file: read conf/spark-defaults.conf too, beneath it"),

  DRIVER_MEMORY(
      "--driver-memory",
      "SIZE",
      Group.DRIVER,
      "spark.driver.memory",
      "SPARK_DRIVER_MEMORY",
      Check.MEMORY,
      "the driver's heap, as 512m or 4g (default: 1g)"),
  DRIVER_JAVA_OPTIONS(
      "--driver-java-options",
      "OPTIONS",
      Group.DRIVER,
      "spark.driver.extraJavaOptions",
      "",
      Check.NONE,
      "more options for the driver's JVM; quotes group words"),
  DRIVER_LIBRARY_PATH(
      "--driver-library-path",
      "PATH",
      Group.DRIVER,
      "spark.driver.extraLibraryPath",
      "",
      Check.NONE,
      "directories of native libraries for the driver"),
  DRIVER_CLASS_PATH(
      "--driver-class-path",
      "PATH",
      Group.DRIVER,
      "spark.driver.extraClassPath",
      "",
      Check.NONE,
      "class path entries for the driver, before the application's jars"),
  PROXY_USER(
      "--proxy-user",
      "NAME",
      Group.DRIVER,
      "",
      "",
      Check.NONE,
      "the user for whom the program acts on Hadoop's services"),

  EXECUTOR_MEMORY(
      "--executor-memory",
      "SIZE",
      Group.EXECUTORS,
      "spark.executor.memory",
      "SPARK_EXECUTOR_MEMORY",
      Check.MEMORY,
      "each executor's heap, as 512m or 4g (default: 1g)"),
  EXECUTOR_CORES(
      "--executor-cores",
      "NUMBER",
      Group.EXECUTORS,
      "spark.executor.cores",
      "SPARK_EXECUTOR_CORES",
      Check.COUNT,
      "cores of each executor"),

  DRIVER_CORES(
      "--driver-cores",
      "NUMBER",
      Group.CLUSTERS,
      "spark.driver.cores",
      "",
      Check.COUNT,
      "cores of the driver (default: 1)"),
  TOTAL_EXECUTOR_CORES(
      "--total-executor-cores",
      "NUMBER",
      Group.CLUSTERS,
      "spark.cores.max",
      "",
      Check.COUNT,
      "cores of all executors together"),
  NUM_EXECUTORS(
      "--num-executors",
      "NUMBER",
      Group.CLUSTERS,
      "spark.executor.instances",
      "",
      Check.COUNT,
      "executors to start"),
  QUEUE(
      "--queue",
      "NAME",
      Group.CLUSTERS,
      "spark.yarn.queue",
      "",
      Check.NONE,
      "the queue to submit to"),
  SUPERVISE(
      "--supervise",
      "",
      Group.CLUSTERS,
      "spark.driver.supervise",
      "",
      Check.NONE,
      "restart a driver that fails"),
  KILL("--kill", "ID", Group.CLUSTERS, "", "", Check.NONE, "end the driver of this submission"),
  STATUS(
      "--status", "ID", Group.CLUSTERS, "", "", Check.NONE, "show the driver of this submission"),
  PRINCIPAL(
      "--principal",
      "NAME",
      Group.CLUSTERS,
      "spark.kerberos.principal",
      "",
      Check.NONE,
      "the Kerberos principal to log in as"),
  KEYTAB(
      "--keytab",
      "FILE",
      Group.CLUSTERS,
      "spark.kerberos.keytab",
      "",
      Check.NONE,
      "the keytab of that principal"),

  PACKAGES(
      "--packages",
      "COORDINATES",
      Group.DEPENDENCIES,
      "spark.jars.packages",
      "",
      Check.NONE,
      "Maven coordinates group:artifact:version of jars to add with what they need"),
  EXCLUDE_PACKAGES(
      "--exclude-packages",
      "NAMES",
      Group.DEPENDENCIES,
      "spark.jars.excludes",
      "",
      Check.NONE,
      "group:artifact pairs to leave out of them"),
  REPOSITORIES(
      "--repositories",
      "URLS",
      Group.DEPENDENCIES,
      "spark.jars.repositories",
      "",
      Check.NONE,
      "Maven repositories to look in first: URL, or ID::URL with an id of settings.xml"),
  ARCHIVES(
      "--archives",
      "ARCHIVES",
      Group.DEPENDENCIES,
      "spark.archives",
      "",
      Check.NONE,
      "archives to unpack for KilnFiles.get(NAME); comma-separated, PATH#NAME renames"),
  PY_FILES(
      "--py-files",
      "FILES",
      Group.DEPENDENCIES,
      "spark.submit.pyFiles",
      "",
      Check.NONE,
      "Python modules for a Python program"),

  HELP("--help", "", Group.ABOUT, "", "", Check.NONE, "show this (also -h)"),
  VERSION("--version", "", Group.ABOUT, "", "", Check.NONE, "show the version"),
  VERBOSE(
      "--verbose",
      "",
      Group.ABOUT,
      "",
      "",
      Check.NONE,
      "say what is about to run, with each setting and where it comes from (also -v)"),
  USAGE_ERROR("--usage-error", "", Group.ABOUT, "", "", Check.NONE, "show this, as an error");

  /// The headings of `--help`.
  public enum Group {
    GENERAL("General"),
    DRIVER("Driver"),
    EXECUTORS("Executors"),
    CLUSTERS("Clusters"),
    DEPENDENCIES("Dependencies"),
    ABOUT("About");

    private final String title;

    Group(String title) {
      this.title = title;
    }

    public String title() {
      return title;
    }
  }

  /// What an option's value must be, as far as it can be told from the text alone.
  enum Check {
    NONE,
    /// A whole number from 1.
    COUNT,
    /// A size such as `512m`.
    MEMORY
  }

  private static final SubmitOption[] ALL = values();

  private final String spelling;
  private final String valueName;
  private final Group group;
  private final String setting;
  private final String environment;
  private final Check check;
  private final String help;

  SubmitOption(
      String spelling,
      String valueName,
      Group group,
      String setting,
      String environment,
      Check check,
      String help) {
    this.spelling = spelling;
    this.valueName = valueName;
    this.group = group;
    this.setting = setting;
    this.environment = environment;
    this.check = check;
    this.help = help;
  }

  /// With its dashes, as in `--master`.
  public String spelling() {
    return spelling;
  }

  /// What `--help` calls the value; empty for an option without one.
  public String valueName() {
    return valueName;
  }

  public boolean takesValue() {
    return !valueName.isEmpty();
  }

  public Group group() {
    return group;
  }

  /// The `spark.*` key that this option sets; empty where it sets none.
  public String setting() {
    return setting;
  }

  /// The environment variable that gives the value when nothing else does; empty where there is
  /// none.
  public String environment() {
    return environment;
  }

  Check check() {
    return check;
  }

  public String help() {
    return help;
  }

  /// @return the option spelt so, or null; the short forms count
  static SubmitOption bySpelling(String text) {
    String full =
        switch (text) {
          case "-c" -> "--conf";
          case "-h" -> "--help";
          case "-v" -> "--verbose";
          default -> text;
        };
    for (SubmitOption option : ALL) {
      if (option.spelling.equals(full)) {
        return option;
      }
    }
    return null;
  }

  /// @return the option whose spelling is nearest, or null when none is near
  static SubmitOption nearest(String text) {
    SubmitOption best = null;
    int bestDistance = Math.max(2, text.length() / 4) + 1;
    for (SubmitOption option : ALL) {
      int distance = Spelling.distance(text, option.spelling);
      if (distance < bestDistance) {
        best = option;
        bestDistance = distance;
      }
    }
    return best;
  }
}
