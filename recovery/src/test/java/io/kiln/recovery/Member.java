package io.kiln.recovery;

import io.kiln.api.KilnConf;
import io.kiln.api.KilnException;
import io.kiln.base.settings.Settings;
import io.kiln.daemon.recovery.Candidate;
import io.kiln.daemon.recovery.Change;
import io.kiln.daemon.recovery.NotLeadingException;
import io.kiln.daemon.recovery.Recovery;
import io.kiln.daemon.recovery.RecoveryModes;
import io.kiln.daemon.recovery.RecoverySetup;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;

/// A master that stands for election and writes down what it is told.
public final class Member implements Candidate, AutoCloseable {
  public static final byte[] SECRET = "of the test".getBytes(StandardCharsets.UTF_8);

  /// An election.
  public record Term(Member member, long epoch, Map<String, String> entries) {}

  private final Recovery recovery;
  private final BlockingQueue<Term> terms;
  public final BlockingQueue<KilnException> failures = new LinkedBlockingQueue<>();
  public final BlockingQueue<Long> revoked = new LinkedBlockingQueue<>();

  /// @param terms hears of elections; others may have the same
  public Member(Map<String, String> settings, BlockingQueue<Term> terms) {
    this(settings, Optional.of(SECRET), terms);
  }

  public Member(Map<String, String> settings, Optional<byte[]> secret, BlockingQueue<Term> terms) {
    this.terms = terms;
    KilnConf conf = new KilnConf(false);
    settings.forEach(conf::set);
    Settings all = Settings.of(conf);
    recovery = RecoveryModes.of(all);
    try {
      recovery.start(new RecoverySetup("127.0.0.1:1", "127.0.0.1", all, secret), this);
    } catch (KilnException e) {
      recovery.close();
      throw e;
    }
  }

  public void put(long epoch, String key, String value) throws NotLeadingException {
    persist(epoch, new Change.Put(key, value.getBytes(StandardCharsets.UTF_8)));
  }

  public void persist(long epoch, Change... changes) throws NotLeadingException {
    recovery.persist(epoch, List.of(changes));
  }

  @Override
  public void elected(long epoch, Map<String, byte[]> entries) {
    Map<String, String> texts = new HashMap<>();
    entries.forEach((key, value) -> texts.put(key, new String(value, StandardCharsets.UTF_8)));
    terms.add(new Term(this, epoch, texts));
  }

  @Override
  public void revoked(long epoch) {
    revoked.add(epoch);
  }

  @Override
  public void failed(KilnException why) {
    failures.add(why);
  }

  @Override
  public void close() {
    recovery.close();
  }
}
