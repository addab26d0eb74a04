package org.hourstone.tsd.session;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Properties;
import picocli.CommandLine.IVersionProvider;

/** The version of Hourstone, from Maven. */
public final class Version implements IVersionProvider {
  private static final String RESOURCE = "/org/hourstone/tsd/version.properties";

  @Override
  public String[] getVersion() {
    return new String[] {"hourstone " + number()};
  }

  public static String number() {
    Properties build = new Properties();
    try (InputStream in = Version.class.getResourceAsStream(RESOURCE)) {
      if (in == null) {
        throw new IllegalStateException(RESOURCE + " is missing");
      }
      build.load(in);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return build.getProperty("version");
  }
}
