/// What other processes of the application have of blocks, broadcasts and map outputs. The doors
/// are [io.kiln.storage.remote.Peers], by which a [io.kiln.storage.LocalStorage] gets at them, and
/// [io.kiln.storage.remote.BlockServer], by which they get at what is here. A process without
/// others loads none of it.
package io.kiln.storage.remote;
