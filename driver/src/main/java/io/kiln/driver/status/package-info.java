/// What is going on in an application, for those who watch: the status tracker, listeners, the
/// progress bar. The door is [io.kiln.driver.status.ApplicationStatus], which the scheduler's
/// status events go to.
package io.kiln.driver.status;
