package io.kiln.base.resource;

import io.kiln.api.KilnException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.ConnectException;
import java.net.ProxySelector;
import java.net.URI;
import java.net.UnknownHostException;
import java.net.http.HttpClient;
import java.net.http.HttpConnectTimeoutException;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.net.http.HttpTimeoutException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongConsumer;
import javax.net.ssl.SSLException;

/// Fetches files over HTTP and HTTPS, several at a time.
///
/// Redirections are followed, but not from HTTPS to HTTP. The JVM's proxy settings hold. A
/// connection that breaks, a body that is cut short and a fault of the server's (5xx) may pass:
/// such a file is asked for again, [#TRIES] times in all, after a pause that grows.
public final class Downloads {

  /// Code of the error when a file can't be fetched.
  public static final String FAILED = "DOWNLOAD_FAILED";

  private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(20);
  private static final int AT_A_TIME = 6;
  private static final int TRIES = 4;
  private static final long FIRST_PAUSE_MILLIS = 100;
  private static final int PAUSE_FACTOR = 4;
  private static final int BUFFER_BYTES = 64 * 1024;
  private static final int OK = 200;
  private static final int FIRST_FAULT_OF_SERVER = 500;

  private static final String EACH_TIME = ", at each of " + TRIES + " tries";

  /// One file to fetch.
  ///
  /// @param to where its bytes go; the directory is there
  public record Download(URI from, Path to) {}

  private final Duration patience;
  private final LongConsumer progress;
  private final AtomicLong totalBytes = new AtomicLong();

  private Downloads(Duration patience, LongConsumer progress) {
    this.patience = patience;
    this.progress = progress;
  }

  /// Returns when all are there.
  ///
  /// @param patience how long a server may say nothing
  /// @param progress told of all bytes so far, by several threads
  /// @throws KilnException `DOWNLOAD_FAILED`, of the first in the list that failed
  public static void fetch(List<Download> wanted, Duration patience, LongConsumer progress) {
    new Downloads(patience, progress).fetch(wanted);
  }

  private void fetch(List<Download> wanted) {
    HttpClient client =
        HttpClient.newBuilder()
            .followRedirects(HttpClient.Redirect.NORMAL)
            .connectTimeout(CONNECT_TIMEOUT.compareTo(patience) < 0 ? CONNECT_TIMEOUT : patience)
            .proxy(ProxySelector.getDefault())
            .build();
    try (ExecutorService threads =
        Executors.newFixedThreadPool(
            Math.min(AT_A_TIME, wanted.size()),
            Thread.ofVirtual().name("download-", 0).factory())) {
      List<Transfer> transfers = new ArrayList<>();
      for (Download download : wanted) {
        Transfer transfer = new Transfer(download, client);
        transfer.outcome = threads.submit(transfer::run, null);
        transfers.add(transfer);
      }
      try {
        for (Transfer transfer : transfers) {
          await(transfer);
        }
      } finally {
        threads.shutdownNow();
        client.shutdownNow();
      }
    }
  }

  /// A client's own time limit ends with the headers: a body that stops coming is noticed here.
  private void await(Transfer transfer) {
    while (true) {
      long bytesBefore = totalBytes.get();
      try {
        transfer.outcome.get(patience.toMillis(), TimeUnit.MILLISECONDS);
        return;
      } catch (TimeoutException e) {
        if (totalBytes.get() == bytesBefore && transfer.receiving) {
          throw failed(transfer.download, "nothing came for " + seconds(patience), e);
        }
      } catch (ExecutionException e) {
        throw e.getCause() instanceof KilnException ours
            ? ours
            : failed(transfer.download, e.getCause().toString(), e.getCause());
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw failed(transfer.download, "the thread was interrupted", e);
      }
    }
  }

  /// One download under way, on a thread of its own.
  private final class Transfer {
    private final Download download;
    private final HttpClient client;
    private Future<?> outcome;
    private volatile boolean receiving;

    Transfer(Download download, HttpClient client) {
      this.download = download;
      this.client = client;
    }

    void run() {
      long pauseMillis = FIRST_PAUSE_MILLIS;
      for (int left = TRIES - 1; !hasCome(left); left--) {
        receiving = false;
        pause(pauseMillis);
        pauseMillis *= PAUSE_FACTOR;
      }
    }

    /// @param triesLeft 0 if this is the last
    /// @return false if it hasn't, and may if it is asked for again
    private boolean hasCome(int triesLeft) {
      HttpRequest request = HttpRequest.newBuilder(download.from()).timeout(patience).build();
      try {
        HttpResponse<InputStream> response = client.send(request, BodyHandlers.ofInputStream());
        try (InputStream body = response.body()) {
          if (response.statusCode() == OK) {
            receiving = true;
            save(body);
            return true;
          }
          if (response.statusCode() < FIRST_FAULT_OF_SERVER) {
            throw failed(download, answer(response.statusCode()), null);
          }
          if (triesLeft == 0) {
            throw failed(download, answer(response.statusCode()) + EACH_TIME, null);
          }
          return false;
        }
      } catch (IOException e) {
        if (!mayPass(e)) {
          throw failed(download, why(e), e);
        }
        if (triesLeft == 0) {
          throw failed(download, why(e) + EACH_TIME, e);
        }
        return false;
      } catch (InterruptedException e) {
        throw interrupted(e);
      }
    }

    private void pause(long millis) {
      try {
        Thread.sleep(millis);
      } catch (InterruptedException e) {
        throw interrupted(e);
      }
    }

    private KilnException interrupted(InterruptedException e) {
      Thread.currentThread().interrupt();
      return failed(download, "another failed", e);
    }

    /// What came of a body that doesn't end well counts no more.
    private void save(InputStream body) throws IOException {
      byte[] buffer = new byte[BUFFER_BYTES];
      long saved = 0;
      boolean whole = false;
      try (OutputStream out = open()) {
        for (int read = body.read(buffer); read >= 0; read = body.read(buffer)) {
          write(out, buffer, read);
          saved += read;
          progress.accept(totalBytes.addAndGet(read));
        }
        whole = true;
      } finally {
        if (!whole) {
          totalBytes.addAndGet(-saved);
        }
      }
    }

    private OutputStream open() {
      try {
        return Files.newOutputStream(download.to());
      } catch (IOException e) {
        throw unwritable(e);
      }
    }

    private void write(OutputStream out, byte[] buffer, int count) {
      try {
        out.write(buffer, 0, count);
      } catch (IOException e) {
        throw unwritable(e);
      }
    }

    private KilnException unwritable(IOException e) {
      return failed(download, download.to() + " can't be written: " + e.getMessage(), e);
    }
  }

  /// Whether the connection broke, rather than that there is nobody or nobody answers.
  private static boolean mayPass(IOException e) {
    return !isUnknownHost(e)
        && !(e instanceof ConnectException)
        && !(e instanceof HttpTimeoutException)
        && !(e instanceof SSLException);
  }

  private static String answer(int status) {
    String meaning =
        switch (status) {
          case 401, 407 -> " (it wants credentials)";
          case 403 -> " (forbidden)";
          case 404, 410 -> " (there is no such file)";
          default ->
              status >= 500
                  ? " (a fault of the server)"
                  : status >= 300 && status < 400 ? " (a redirection that is not followed)" : "";
        };
    return "the server answers with status " + status + meaning;
  }

  private static boolean isUnknownHost(IOException e) {
    for (Throwable cause = e; cause != null; cause = cause.getCause()) {
      if (cause instanceof UnknownHostException
          || cause instanceof java.nio.channels.UnresolvedAddressException) {
        return true;
      }
    }
    return false;
  }

  private String why(IOException e) {
    if (isUnknownHost(e)) {
      return "the host is not known";
    }
    return switch (e) {
      case HttpConnectTimeoutException _ -> "the server can't be reached: no answer";
      case HttpTimeoutException _ -> "no answer came for " + seconds(patience);
      case ConnectException _ -> "the server can't be reached: connection refused";
      default -> e.getMessage() == null ? e.toString() : e.getMessage();
    };
  }

  private static String seconds(Duration duration) {
    return duration.toMillis() / 1000.0 + " s";
  }

  private static KilnException failed(Download download, String why, Throwable cause) {
    return new KilnException(
        FAILED,
        KilnException.Kind.EXTERNAL,
        Resource.shown(download.from().toString()) + " can't be fetched: " + why,
        cause);
  }
}
