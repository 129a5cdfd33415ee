package io.kiln.http;

import io.kiln.network.transport.ListenPort;
import java.util.List;
import java.util.Optional;

/// A server in a process of its own, which ends when memory does. Prints its port.
final class SmallHeapServer {
  private SmallHeapServer() {}

  public static void main(String[] words) throws InterruptedException {
    HttpServer server =
        HttpServer.open(
            new HttpServer.Site(
                "127.0.0.1",
                ListenPort.any(),
                "",
                "serve",
                new HostNames(List.of(), List.of()),
                Optional.empty()),
            HttpBounds.usual());
    server.serve(
        new RequestHandler() {
          @Override
          public Optional<Response> refusal(RequestHead head) {
            return Optional.empty();
          }

          @Override
          public int maxBodyBytes() {
            return 1 << 20;
          }

          @Override
          public Response answer(RequestHead head, byte[] body) {
            return Response.line(Response.OK, "good");
          }
        });
    System.out.println(server.port());
    Thread.currentThread().join();
  }
}
