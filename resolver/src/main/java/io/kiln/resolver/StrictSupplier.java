package io.kiln.resolver;

import org.eclipse.aether.RepositorySystemSession;
import org.eclipse.aether.internal.impl.DefaultChecksumPolicyProvider;
import org.eclipse.aether.repository.RemoteRepository;
import org.eclipse.aether.repository.RepositoryPolicy;
import org.eclipse.aether.spi.connector.checksum.ChecksumPolicy;
import org.eclipse.aether.spi.connector.checksum.ChecksumPolicyProvider;
import org.eclipse.aether.supplier.RepositorySystemSupplier;
import org.eclipse.aether.transfer.ChecksumFailureException;
import org.eclipse.aether.transfer.TransferResource;

/// Makes Maven's resolver, in which a repository that says to fail on wrong checksums may still
/// have none at all: a plain directory on a web server is a repository too.
final class StrictSupplier extends RepositorySystemSupplier {

  @Override
  protected ChecksumPolicyProvider createChecksumPolicyProvider() {
    return new Provider();
  }

  private static final class Provider implements ChecksumPolicyProvider {
    private final DefaultChecksumPolicyProvider usual = new DefaultChecksumPolicyProvider();

    @Override
    public ChecksumPolicy newChecksumPolicy(
        RepositorySystemSession session,
        RemoteRepository repository,
        TransferResource resource,
        String policy) {
      ChecksumPolicy made = usual.newChecksumPolicy(session, repository, resource, policy);
      return policy.equals(RepositoryPolicy.CHECKSUM_POLICY_FAIL) ? new IfAny(made) : made;
    }

    @Override
    public String getEffectiveChecksumPolicy(
        RepositorySystemSession session, String policy1, String policy2) {
      return usual.getEffectiveChecksumPolicy(session, policy1, policy2);
    }
  }

  private record IfAny(ChecksumPolicy usual) implements ChecksumPolicy {
    @Override
    public boolean onChecksumMatch(String algorithm, ChecksumKind kind) {
      return usual.onChecksumMatch(algorithm, kind);
    }

    @Override
    public void onChecksumMismatch(
        String algorithm, ChecksumKind kind, ChecksumFailureException exception)
        throws ChecksumFailureException {
      usual.onChecksumMismatch(algorithm, kind, exception);
    }

    @Override
    public void onChecksumError(
        String algorithm, ChecksumKind kind, ChecksumFailureException exception)
        throws ChecksumFailureException {
      usual.onChecksumError(algorithm, kind, exception);
    }

    @Override
    public void onNoMoreChecksums() {
      // then there is nothing to hold it against
    }

    @Override
    public void onTransferRetry() {
      usual.onTransferRetry();
    }

    @Override
    public boolean onTransferChecksumFailure(ChecksumFailureException exception) {
      return usual.onTransferChecksumFailure(exception);
    }
  }
}
