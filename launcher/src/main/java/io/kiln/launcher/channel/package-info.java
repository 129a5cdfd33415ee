/// How a launched application and the process that launched it talk to each other.
///
/// The launching side opens a [io.kiln.launcher.channel.ChannelListener] and hands its port and its
/// [io.kiln.launcher.channel.ChannelSecret] to the child; the child calls
/// [io.kiln.launcher.channel.Channel#connect]. Both prove that they know the secret before anything
/// else passes. Nothing here is loaded by a program that nobody embeds.
package io.kiln.launcher.channel;
