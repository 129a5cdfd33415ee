/// The parts of the installation that are on no class path.
package io.kiln.submit.installed;
