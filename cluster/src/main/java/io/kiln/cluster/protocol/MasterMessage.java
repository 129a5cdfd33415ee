package io.kiln.cluster.protocol;

import io.kiln.base.machine.Message;

/// Whatever a master takes: [ToMaster], and what happens around it
/// (`io.kiln.cluster.master.MasterEvent`). Both are sealed; this is not, for Java wants the
/// alternatives of a sealed type in one package.
public interface MasterMessage extends Message {}
