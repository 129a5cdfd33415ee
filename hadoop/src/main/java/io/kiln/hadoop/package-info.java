/// What Kiln does with Hadoop's classes: logging in, for `--proxy-user`, `--principal` and
/// `--keytab`.
///
/// The door is [io.kiln.hadoop.UserLogin], which `submit` finds as a service. This room and
/// Hadoop's client lie in `jars/hadoop`; no other room sees them, and an application sees Hadoop's
/// classes alone.
package io.kiln.hadoop;
