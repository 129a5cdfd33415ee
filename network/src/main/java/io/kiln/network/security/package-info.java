/// How two processes of one application or cluster come to trust each other: TLS 1.3 between
/// throw-away certificates, then both sides prove that they know the shared secret
/// ([io.kiln.network.security.Proof]).
package io.kiln.network.security;
