/// From a command line, the environment and the conf files to the command of a JVM.
///
/// The door is [io.kiln.launcher.Main], which `bin/spark-class` runs. `submit` reads the same
/// command line with the same [io.kiln.launcher.CommandLine] and the same table of options,
/// [io.kiln.launcher.SubmitOption], so the two cannot disagree. This module stands in the way of
/// every start: it keeps to plain loops and few classes, because each class that a JVM loads before
/// the program runs is time that the user waits for.
package io.kiln.launcher;
