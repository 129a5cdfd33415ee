/// The server of HTTP of every process that has one, and what goes with it: bounds, the check of
/// who is meant, TLS, tokens, JSON. The door is [io.kiln.http.HttpServer].
package io.kiln.http;
