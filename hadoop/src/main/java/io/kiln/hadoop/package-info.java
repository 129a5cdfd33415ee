/// What Kiln does with Hadoop's classes: its file systems, and logging in for `--proxy-user`,
/// `--principal` and `--keytab`.
///
/// The doors are [io.kiln.hadoop.HadoopFileSystems] and [io.kiln.hadoop.UserLogin], which `base`
/// and
/// `submit` find as services. This room and Hadoop's client lie in `jars/hadoop`; no other room
/// sees them, and an application sees Hadoop's classes alone.
package io.kiln.hadoop;
