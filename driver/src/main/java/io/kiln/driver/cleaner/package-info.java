/// Removes what nobody in the driver refers to any more: [io.kiln.driver.cleaner.ContextCleaner].
package io.kiln.driver.cleaner;
