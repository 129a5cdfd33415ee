/// What is on an application's class path, for those who have to tell a user what is missing there
/// or there twice.
///
/// The door is [io.kiln.base.classpath.MissingClass].
package io.kiln.base.classpath;
