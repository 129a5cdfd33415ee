/// Maven packages for `--packages`: Maven's own resolver, settings and rules.
///
/// The door is [io.kiln.resolver.MavenPackages], which `submit` finds as a service. This room and
/// its libraries lie in `jars/resolver`; no other room sees them.
package io.kiln.resolver;
