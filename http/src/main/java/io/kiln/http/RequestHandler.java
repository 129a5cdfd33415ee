package io.kiln.http;

import java.util.Optional;

/// Answers requests. Thread-safe.
public interface RequestHandler {

  /// Before the body is received, on the thread that moves bytes: nothing here waits.
  ///
  /// @return why the request is not followed, if it isn't
  Optional<Response> refusal(RequestHead head);

  /// The largest body that is taken.
  int maxBodyBytes();

  /// On a thread of its own, which may wait.
  Response answer(RequestHead head, byte[] body) throws InterruptedException;

  /// What is said where the server itself refuses a request.
  ///
  /// @param why a sentence
  default Response error(int status, String why) {
    return Response.line(status, why);
  }
}
