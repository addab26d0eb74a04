package org.hourstone.api.status;

import java.io.IOException;
import java.lang.System.Logger.Level;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
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
import org.hourstone.internal.Json;
import org.hourstone.kv.Backups;

/**
 * {@code /api/admin/backup}: backs up the store, to the directory that a setting names or to one
 * below it. Responds when the backup is complete; one is made at a time.
 */
public final class BackupEndpoint implements Endpoint {
  private static final System.Logger LOG = System.getLogger("org.hourstone.api");
  private static final Set<String> REQUEST = Set.of("directory", "keep");

  private final Tsdb db;
  private final String allowed;
  private final BodyDialect bodies;
  private final AtomicBoolean isInProgress = new AtomicBoolean();

  public BackupEndpoint(Tsdb db, ApiOptions options) {
    this.db = db;
    this.allowed = options.backupDirectory();
    this.bodies = options.requests().bodies();
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
    if (!isInProgress.compareAndSet(false, true)) {
      throw new ApiException(ApiException.CONFLICT, "Another backup is in progress");
    }
    try {
      return made(backups.create(directory, keep), directory);
    } finally {
      isInProgress.set(false);
    }
  }

  private static ApiResponse made(Backups.Backup backup, Path directory) {
    LOG.log(
        Level.INFO,
        "backup {0} in {1}: {2} bytes copied, {3} linked",
        String.valueOf(backup.generation()),
        directory,
        String.valueOf(backup.copied()),
        String.valueOf(backup.linked()));
    return ApiResponse.ok(
        Json.object()
            .put("directory", directory.toString())
            .put("generation", backup.generation())
            .put("files", backup.files())
            .put("bytesCopied", backup.copied())
            .put("bytesLinked", backup.linked()));
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
        throw requested.wrong(
            "not below the directory of the setting " + DaemonSettings.BACKUP_DIRECTORY.key());
      }
      return real;
    } catch (InvalidPathException e) {
      throw requested.wrong("not the path of a directory: " + e.getMessage());
    } catch (IOException e) {
      throw new ApiException(
          ApiException.STORAGE_ERROR, "The directory for backups can't be used", e.toString());
    }
  }
}
