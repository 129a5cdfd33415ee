/// What a user's functions hold: may tasks share them, can they be serialised. The door is
/// [io.kiln.driver.closure.ClosureInspector]; [io.kiln.base.closure.ClosureSerializer] does the
/// serialising, in the driver and in executors.
package io.kiln.driver.closure;
