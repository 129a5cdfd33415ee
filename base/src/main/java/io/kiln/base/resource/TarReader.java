package io.kiln.base.resource;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;

/// Reads a tar stream entry by entry: POSIX `ustar` and `pax`, and GNU's long names and sizes.
///
/// A header is a block of 512 bytes with fields at fixed places, numbers in octal text; the content
/// follows, padded to whole blocks; two empty blocks end the archive.
final class TarReader {
  private static final int BLOCK_BYTES = 512;
  private static final int MAX_NAME_BYTES = 64 * 1024;

  /// What an entry is.
  enum Kind {
    FILE,
    DIRECTORY,
    LINK,
    HARD_LINK
  }

  private final InputStream in;
  private final byte[] header = new byte[BLOCK_BYTES];
  private final Map<String, String> ofAll = new HashMap<>();
  private final Map<String, String> ofNext = new HashMap<>();
  private Content content;
  private Kind kind;
  private String name;
  private String target;
  private int mode;

  TarReader(InputStream in) {
    this.in = in;
    this.content = new Content(0);
  }

  Kind kind() {
    return kind;
  }

  String name() {
    return name;
  }

  /// Where a link leads.
  String target() {
    return target;
  }

  /// The permissions.
  int mode() {
    return mode;
  }

  /// The bytes of a file, until [#next] is called.
  InputStream content() {
    return content;
  }

  /// Goes to the next entry.
  ///
  /// @return false at the end
  boolean next() throws IOException {
    ofNext.clear();
    while (true) {
      content.skipRest();
      if (!readHeader()) {
        return false;
      }
      char type = (char) header[156];
      content = new Content(size(type));
      switch (type) {
        case 'x' -> readAttributes(ofNext);
        case 'g' -> readAttributes(ofAll);
        case 'L' -> ofNext.put("path", longName());
        case 'K' -> ofNext.put("linkpath", longName());
        default -> {
          describe(type);
          return true;
        }
      }
    }
  }

  private boolean readHeader() throws IOException {
    int read = in.readNBytes(header, 0, BLOCK_BYTES);
    if (read == 0) {
      return false; // some writers leave the empty blocks out
    }
    if (read < BLOCK_BYTES) {
      throw new EOFException("it ends in the middle of a header");
    }
    long sum = 0;
    boolean empty = true;
    for (int i = 0; i < BLOCK_BYTES; i++) {
      empty &= header[i] == 0;
      sum += i >= 148 && i < 156 ? ' ' : header[i] & 0xff;
    }
    if (empty) {
      return false;
    }
    if (sum != number(148, 8)) {
      throw new IOException("it is damaged, or no tar: a header has the wrong checksum");
    }
    return true;
  }

  private void describe(char type) throws IOException {
    String prefix = isUstar() ? text(345, 155) : "";
    String plain = text(0, 100);
    name = attribute("path", prefix.isEmpty() ? plain : prefix + "/" + plain);
    target = attribute("linkpath", text(157, 100));
    mode = (int) number(100, 8) & 0777;
    kind =
        switch (type) {
          case '0', '\0', '7' -> name.endsWith("/") ? Kind.DIRECTORY : Kind.FILE;
          case '1' -> Kind.HARD_LINK;
          case '2' -> Kind.LINK;
          case '5' -> Kind.DIRECTORY;
          default ->
              throw new IOException(
                  "its entry '"
                      + name
                      + "' is neither file, directory nor link (type "
                      + type
                      + ")");
        };
  }

  /// Links have a size at times, and no content.
  private long size(char type) throws IOException {
    if (type == '1' || type == '2' || type == '5') {
      return 0;
    }
    boolean ofEntry = type != 'x' && type != 'g' && type != 'L' && type != 'K';
    String size = ofEntry ? attribute("size", "") : "";
    try {
      long bytes = size.isEmpty() ? number(124, 12) : Long.parseLong(size);
      if (bytes >= 0) {
        return bytes;
      }
    } catch (NumberFormatException e) {
      // told below
    }
    throw new IOException("it is damaged: an entry has no size that can be");
  }

  private String attribute(String key, String otherwise) {
    String own = ofNext.get(key);
    return own != null ? own : ofAll.getOrDefault(key, otherwise);
  }

  private String longName() throws IOException {
    byte[] bytes = wholeContent();
    int end = bytes.length;
    while (end > 0 && bytes[end - 1] == 0) {
      end--;
    }
    return new String(bytes, 0, end, StandardCharsets.UTF_8);
  }

  /// Lines of `LENGTH KEY=VALUE\n`, where the length counts the whole line in bytes.
  private void readAttributes(Map<String, String> attributes) throws IOException {
    byte[] bytes = wholeContent();
    int at = 0;
    while (at < bytes.length) {
      int space = at;
      int length = 0;
      while (space < bytes.length && bytes[space] >= '0' && bytes[space] <= '9') {
        length = Math.min(length * 10 + bytes[space] - '0', MAX_NAME_BYTES + 1);
        space++;
      }
      if (length < space - at + 2 || at + length > bytes.length) {
        throw new IOException("it is damaged: an extended header has a wrong length");
      }
      String line = new String(bytes, space + 1, at + length - space - 2, StandardCharsets.UTF_8);
      int equals = line.indexOf('=');
      if (equals > 0) {
        attributes.put(line.substring(0, equals), line.substring(equals + 1));
      }
      at += length;
    }
  }

  private byte[] wholeContent() throws IOException {
    byte[] bytes = content.readNBytes(MAX_NAME_BYTES + 1);
    if (bytes.length > MAX_NAME_BYTES) {
      throw new IOException("it is damaged: an extended header is too long");
    }
    return bytes;
  }

  private boolean isUstar() {
    return header[257] == 'u' && header[258] == 's' && header[262] == 0;
  }

  private String text(int from, int length) {
    int end = from;
    while (end < from + length && header[end] != 0) {
      end++;
    }
    return new String(header, from, end - from, StandardCharsets.UTF_8);
  }

  /// Octal digits or, if the highest bit is set, the bytes of the number itself.
  private long number(int from, int length) {
    if ((header[from] & 0x80) != 0) {
      long value = header[from] & 0x7f;
      for (int i = from + 1; i < from + length; i++) {
        value = (value << 8) | (header[i] & 0xff);
      }
      return value;
    }
    long value = 0;
    for (int i = from; i < from + length; i++) {
      if (header[i] >= '0' && header[i] <= '7') {
        value = (value << 3) | (header[i] - '0');
      } else if (value > 0) {
        break;
      }
    }
    return value;
  }

  /// The bytes of one entry.
  private final class Content extends InputStream {
    private final long size;
    private long position;

    Content(long size) {
      this.size = size;
    }

    @Override
    public int read() throws IOException {
      byte[] one = new byte[1];
      return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
    }

    @Override
    public int read(byte[] bytes, int from, int length) throws IOException {
      if (position == size) {
        return -1;
      }
      int read = in.read(bytes, from, (int) Math.min(length, size - position));
      if (read < 0) {
        throw new EOFException("it ends in the middle of a file");
      }
      position += read;
      return read;
    }

    void skipRest() throws IOException {
      long padding = (BLOCK_BYTES - size % BLOCK_BYTES) % BLOCK_BYTES;
      in.skipNBytes(size - position + padding);
      position = size;
    }
  }
}
