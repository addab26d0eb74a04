package org.hourstone.kv.hbase;

import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.AsyncConnection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.security.UserGroupInformation;
import org.jspecify.annotations.Nullable;

/**
 * Creates the connection: logs in if Kerberos is configured, finds the cluster, and checks that its
 * servers accept the client's identity.
 *
 * <p>Hadoop has one login for the whole JVM, so all stores of a JVM share a principal.
 */
final class Connecting {
  /**
   * Servers that require Kerberos just close a connection that is not configured for it. A server
   * that is stopping also closes connections, but not that many times, since it is then gone.
   */
  private static final int PLAIN_ATTEMPTS = 3;

  private static final byte[] ANY_ROW = {0};

  private Connecting() {}

  /**
   * @param patience how long to retry if the cluster is unreachable
   */
  static AsyncConnection connect(Configuration conf, HBaseErrors errors, Duration patience) {
    // In a separate thread, since the login waits for the key distribution centre, and Hadoop's
    // initialization swallows interrupts.
    CompletableFuture<AsyncConnection> connecting =
        CompletableFuture.completedFuture(conf)
            .thenComposeAsync(settings -> begin(settings, patience), Connecting::start);
    try {
      return connecting.get(patience.toMillis(), TimeUnit.MILLISECONDS);
    } catch (TimeoutException | InterruptedException e) {
      var unused = connecting.thenAccept(Connecting::close);
      if (e instanceof InterruptedException) {
        Thread.currentThread().interrupt();
      }
      throw errors.unreachable(e);
    } catch (ExecutionException e) {
      throw errors.unreachable(e.getCause() == null ? e : e.getCause());
    }
  }

  private static void start(Runnable task) {
    Thread thread = new Thread(task, "hourstone-hbase-open");
    thread.setDaemon(true);
    thread.start();
  }

  private static CompletableFuture<AsyncConnection> begin(Configuration conf, Duration patience) {
    boolean secure = ClusterOptions.isSecure(conf);
    if (secure) {
      // So far Hadoop has read only files on the class path.
      UserGroupInformation.setConfiguration(conf);
    }
    // Logs in first if the configuration names a keytab; the ticket is then renewed automatically.
    return ConnectionFactory.createAsyncConnection(conf)
        .thenCompose(connection -> admitted(connection, secure, patience.dividedBy(3)));
  }

  /**
   * Calls a region server: if it refuses access, this is reported now instead of after the timeout
   * of the first operation. If it is currently unreachable, the store is opened nevertheless.
   */
  private static CompletableFuture<AsyncConnection> admitted(
      AsyncConnection connection, boolean secure, Duration patience) {
    CompletableFuture<Result> answer =
        (secure ? ticket() : CompletableFuture.completedFuture(null))
            .thenCompose(
                ticket ->
                    connection
                        .getTableBuilder(TableName.META_TABLE_NAME)
                        .setMaxAttempts(secure ? 1 : PLAIN_ATTEMPTS)
                        .build()
                        .get(new Get(ANY_ROW)))
            .orTimeout(patience.toMillis(), TimeUnit.MILLISECONDS);
    return answer.handle(
        (row, failure) -> {
          if (failure != null && AccessErrors.explain(failure) != null) {
            close(connection);
            throw new CompletionException(failure);
          }
          return connection;
        });
  }

  /**
   * Fails if no principal is logged in. If the ticket has expired and there is a keytab, logs in
   * again.
   */
  private static CompletableFuture<@Nullable Void> ticket() {
    try {
      UserGroupInformation user = UserGroupInformation.getLoginUser();
      user.checkTGTAndReloginFromKeytab();
      return user.hasKerberosCredentials()
          ? CompletableFuture.completedFuture(null)
          : CompletableFuture.failedFuture(new AccessErrors.NoTicketException());
    } catch (IOException e) {
      return CompletableFuture.failedFuture(e);
    }
  }

  /** Closes a connection that is not used, so a failure need not be reported. */
  private static void close(AsyncConnection connection) {
    try {
      connection.close();
    } catch (IOException e) {
      return;
    }
  }
}
