/// What processes of the engine have in common.
package io.kiln.base.process;
