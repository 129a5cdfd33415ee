/// The settings of an application: what exists, of what type, and what a value means.
///
/// Start at [io.kiln.base.settings.Settings]; the settings themselves are constants in the classes
/// named `…Settings`, one a subject, and [io.kiln.base.settings.SettingRegistry] has them all.
package io.kiln.base.settings;
