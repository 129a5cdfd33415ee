/// The driver: what stands behind `KilnContext`. The door is [io.kiln.driver.DriverEngine]: it
/// plans a job's stages ([io.kiln.driver.Planner]), hands them to the scheduler's machines and
/// brings the results home ([io.kiln.driver.JobRunner]).
package io.kiln.driver;
