/// `spark-shell`: Java at a prompt, with a context ready as `sc`.
///
/// The door is [io.kiln.submit.shell.SparkShell]. An [io.kiln.submit.shell.Interpreter] compiles
/// what is typed; the classes go into [io.kiln.submit.shell.ShellClasses], and the prompt and the
/// tasks find them there by one loader, [io.kiln.submit.shell.ShellLoader].
package io.kiln.submit.shell;
