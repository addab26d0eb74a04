package org.hourstone.api.status;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import org.hourstone.DaemonSettings;
import org.hourstone.Tsdb;
import org.hourstone.api.endpoint.ApiOptions;
import org.hourstone.api.endpoint.BodyDialect;
import org.hourstone.api.endpoint.BodyValue;
import org.hourstone.api.endpoint.Endpoint;
import org.hourstone.api.endpoint.RequestBody;
import org.hourstone.api.request.ApiCall;
import org.hourstone.api.request.ApiException;
import org.hourstone.api.request.ApiResponse;
import org.hourstone.api.request.JobCommands.JobOutput;
import org.hourstone.internal.Json;
import org.hourstone.kv.Backups;
import org.hourstone.kv.StoreException;

/**
 * {@code /api/admin/backup}: a {@linkplain Jobs job} that backs up the store, to the directory that
 * a setting names or to one below it. Responds when the backup is complete, unless the request
 * doesn't wait.
 */
public final class BackupEndpoint implements Endpoint {
  private static final System.Logger LOG = System.getLogger("org.hourstone.api");
  private static final String KIND = "backup";
  private static final int PERCENT = 100;
  private static final Set<String> REQUEST = Set.of("directory", "keep", "wait");

  private final Tsdb db;
  private final String allowed;
  private final BodyDialect bodies;
  private final Jobs jobs;

  public BackupEndpoint(Tsdb db, ApiOptions options, Jobs jobs) {
    this.db = db;
    this.jobs = jobs;
    this.allowed = options.backupDirectory();
    this.bodies = options.requests().bodies();
    if (!allowed.isEmpty() && db.backups().isPresent()) {
      jobs.expect(KIND);
      warnIfUnusable();
      db.backups()
          .flatMap(backups -> backups.latest(Path.of(allowed)))
          .ifPresent(time -> jobs.succeeded(KIND, time));
    }
  }

  @Override
  public ApiResponse respond(ApiCall call) {
    if (allowed.isEmpty()) {
      throw new ApiException(
          ApiException.FORBIDDEN,
          "Backups are off",
          "The setting ["
              + DaemonSettings.BACKUP_DIRECTORY.key()
              + "] names no directory for them");
    }
    BodyValue request =
        call.body().isBlank()
            ? BodyValue.of(Json.object(), "", "", bodies)
            : RequestBody.object(call, bodies, REQUEST);
    Path directory = directory(request.member("directory"));
    int keep = request.member("keep").number(0);
    if (keep < 0 || (keep == 0 && !request.member("keep").isAbsent())) {
      throw request.member("keep").wrong("less than 1");
    }
    Backups backups =
        db.backups()
            .orElseThrow(
                () ->
                    new ApiException(
                        ApiException.NOT_IMPLEMENTED,
                        "This kind of store has backups of its own; see docs/backup.md"));
    AtomicReference<Backups.Backup> made = new AtomicReference<>();
    AtomicReference<RuntimeException> failure = new AtomicReference<>();
    Job job =
        jobs.begin(
            KIND,
            KIND + " " + directory + (keep == 0 ? "" : " --keep " + keep),
            call.client().client(),
            output -> {
              try {
                Backups.Backup backup = backups.create(directory, keep, watch(output));
                output.line(text(backup));
                if (!backup.others().isEmpty()) {
                  output.line(
                      "left alone, as they are no whole backups: "
                          + String.join(", ", backup.others()));
                }
                made.set(backup);
                return true;
              } catch (RuntimeException e) {
                failure.set(e);
                throw e;
              }
            });
    if (!request.member("wait").flag(true)) {
      return ApiResponse.of(ApiResponse.ACCEPTED, job.json());
    }
    try {
      job.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new ApiException(ApiException.UNAVAILABLE, "The server is being stopped");
    }
    Backups.Backup backup = made.get();
    if (backup == null) {
      RuntimeException reason = failure.get();
      throw reason == null ? new IllegalStateException("job " + job.id() + " has failed") : reason;
    }
    ObjectNode result =
        Json.object()
            .put("directory", directory.toString())
            .put("generation", backup.generation())
            .put("files", backup.files())
            .put("bytesCopied", backup.copied())
            .put("bytesLinked", backup.linked());
    if (!backup.others().isEmpty()) {
      backup.others().forEach(result.putArray("others")::add);
    }
    return ApiResponse.ok(result);
  }

  private static Backups.Watch watch(JobOutput output) {
    return new Backups.Watch() {
      @Override
      public void progress(long bytes, long all) {
        output.progress(-1, all == 0 ? 0 : (int) (PERCENT * ((double) bytes / all)), PERCENT);
      }

      @Override
      public boolean isCancelled() {
        return output.isCancelled();
      }
    };
  }

  private static String text(Backups.Backup backup) {
    return String.format(
        Locale.ROOT,
        "backup %d is complete: %,d files, %,d bytes copied, %,d shared with the backup before it",
        backup.generation(),
        backup.files(),
        backup.copied(),
        backup.linked());
  }

  /** The directory of a request, which neither {@code ..} nor symbolic links lead elsewhere. */
  private Path directory(BodyValue requested) {
    try {
      Path root = Path.of(allowed).toAbsolutePath().normalize();
      if (!Files.isDirectory(root)) {
        Files.createDirectories(root);
      }
      Path given = root.resolve(requested.text()).normalize();
      Path existing = given;
      while (!Files.exists(existing)) {
        Path parent = existing.getParent();
        if (parent == null) {
          break;
        }
        existing = parent;
      }
      Path real = existing.toRealPath().resolve(existing.relativize(given));
      if (!real.startsWith(root.toRealPath())) {
        throw new ApiException(
            ApiException.BAD_REQUEST,
            "No directory for backups",
            given + " is not below " + setting());
      }
      return real;
    } catch (InvalidPathException e) {
      throw requested.wrong("not the path of a directory: " + e.getMessage());
    } catch (AccessDeniedException e) {
      throw unusable(e.getFile() + ": permission denied to the user " + user(), e);
    } catch (FileAlreadyExistsException e) {
      throw unusable("not a directory", e);
    } catch (IOException e) {
      throw unusable(e.toString(), e);
    }
  }

  private StoreException unusable(String why, IOException cause) {
    return new StoreException(
        StoreException.Outcome.NOT_APPLIED, setting() + " can't be used: " + why, cause);
  }

  /** At the start, since an operator sees a failure only when the first backup is due. */
  private void warnIfUnusable() {
    Path existing = Path.of(allowed).toAbsolutePath().normalize();
    while (Files.notExists(existing) && existing.getParent() != null) {
      existing = existing.getParent();
    }
    if (!Files.isDirectory(existing) || !Files.isWritable(existing)) {
      LOG.log(
          Level.WARNING,
          "no backup can be made: %s: the user %s can't write to the directory %s"
              .formatted(setting(), user(), existing));
    }
  }

  private String setting() {
    return DaemonSettings.BACKUP_DIRECTORY.key() + "=" + allowed;
  }

  private static String user() {
    return System.getProperty("user.name");
  }
}
