/// `spark-submit`: what to run, with which settings, in which class loaders, and how it ends.
///
/// The door is [io.kiln.submit.SparkSubmit]. The command line and the settings are read by
/// `launcher`, which has read them once before to make this JVM's command.
package io.kiln.submit;
