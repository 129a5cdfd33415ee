/// The driver: what stands behind `KilnContext`. The door is [io.kiln.driver.DriverEngine]: it
/// plans a job's stages ([io.kiln.driver.Planner]), hands them to the scheduler's machines and
/// brings the results home ([io.kiln.driver.JobRunner]).
///
/// [io.kiln.driver.LocalAssembly] puts the parts together whose tasks run in this process,
/// [io.kiln.driver.ClusterAssembly] those whose tasks run in processes of their own.
package io.kiln.driver;
