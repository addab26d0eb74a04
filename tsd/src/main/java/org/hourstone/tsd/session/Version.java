package org.hourstone.tsd.session;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Properties;
import org.hourstone.api.request.Build;
import picocli.CommandLine.IVersionProvider;

/** The version of Hourstone, its commit and the time of that, from Maven and git. */
public final class Version implements IVersionProvider {
  private static final String RESOURCE = "/org/hourstone/tsd/version.properties";

  @Override
  public String[] getVersion() {
    return new String[] {"hourstone " + build()};
  }

  /** The commit is unknown if the sources were no git repository. */
  public static Build build() {
    Properties properties = properties();
    return new Build(
        properties.getProperty("version"),
        properties.getProperty("commit", ""),
        properties.getProperty("time", ""));
  }

  private static Properties properties() {
    Properties build = new Properties();
    try (InputStream in = Version.class.getResourceAsStream(RESOURCE)) {
      if (in == null) {
        throw new IllegalStateException(RESOURCE + " is missing");
      }
      build.load(in);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return build;
  }
}
