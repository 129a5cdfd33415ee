package io.kiln.driver.closure;

import io.kiln.api.spi.KilnObjectOutputStream;
import io.kiln.api.spi.Nesting;
import java.io.IOException;
import java.io.NotSerializableException;
import java.io.OutputStream;
import java.lang.invoke.SerializedLambda;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// Writes objects to nowhere, to see whether they can be written, and what they hold that
/// reflection may not see.
final class TrialStream extends KilnObjectOutputStream {
  /// A path found by writing costs a look at the stack for each object; past this many, only the
  /// culprit is named.
  private static final int MAX_TRACED = 10_000;

  /// Sees each object before it is written.
  private interface Watcher {
    Object aboutToWrite(Object object);
  }

  private final Watcher watcher;

  private TrialStream(Watcher watcher) throws IOException {
    super(OutputStream.nullOutputStream());
    this.watcher = watcher;
  }

  @Override
  protected Object replaceObject(Object object) {
    return super.replaceObject(watcher.aboutToWrite(object));
  }

  /// @throws NotSerializableException if something that it writes is not serialisable
  static void write(Object root) throws IOException {
    try {
      boolean _ =
          Nesting.call(
              () -> {
                try (TrialStream out = new TrialStream(object -> object)) {
                  out.writeObject(root);
                }
                return true;
              });
    } catch (IOException | RuntimeException e) {
      throw e;
    } catch (Exception e) {
      throw new IllegalStateException(e); // the work throws no other
    }
  }

  /// What a serialisable lambda is written as; empty if it is not written as that.
  static Optional<SerializedLambda> serialForm(Object lambda) {
    SerializedLambda[] form = {null};
    try (TrialStream out =
        new TrialStream(
            object -> {
              if (form[0] == null && object instanceof SerializedLambda first) {
                form[0] = first;
              }
              return null; // what it holds is not written
            })) {
      out.writeObject(lambda);
    } catch (IOException | RuntimeException e) {
      return Optional.empty();
    }
    return Optional.ofNullable(form[0]);
  }

  /// What could not be written.
  ///
  /// @param path the steps from the root, each beginning with an arrow; may be empty
  record Culprit(Object value, String path) {}

  /// Writes `root` again, which is known to fail, and keeps track of what is being written.
  static Culprit findCulprit(Object root) {
    try {
      return Nesting.call(() -> findCulpritHere(root));
    } catch (RuntimeException e) {
      throw e;
    } catch (Exception e) {
      throw new IllegalStateException(e); // the work throws no other
    }
  }

  private static Culprit findCulpritHere(Object root) {
    List<Object> nested = new ArrayList<>();
    Object[] last = {root};
    int[] count = {0};
    boolean[] failed = {false};
    try (TrialStream out =
        new TrialStream(
            object -> {
              failed[0] |=
                  object instanceof NotSerializableException; // the stream writes it itself
              if (failed[0]) {
                return object;
              }
              last[0] = object;
              if (count[0]++ < MAX_TRACED) {
                int depth = depth();
                while (nested.size() >= depth) {
                  nested.removeLast();
                }
                nested.add(object);
              }
              return object;
            })) {
      out.writeObject(root);
    } catch (IOException e) {
      // as expected: the last object seen is the culprit
    }
    if (count[0] > MAX_TRACED) {
      return new Culprit(last[0], " → … → " + PathText.typeName(last[0]));
    }
    StringBuilder path = new StringBuilder();
    for (int i = 1; i < nested.size(); i++) {
      path.append(PathText.step(nested.get(i - 1), nested.get(i)));
    }
    return new Culprit(last[0], path.toString());
  }

  /// How many objects are being written, one inside the other.
  private static int depth() {
    return StackWalker.getInstance()
        .walk(
            frames ->
                (int)
                    frames
                        .filter(
                            frame ->
                                frame.getMethodName().equals("writeObject0")
                                    && frame.getClassName().equals("java.io.ObjectOutputStream"))
                        .count());
  }
}
