package org.hourstone.api.endpoint;

import org.hourstone.api.request.ApiException;

/** How requests find their endpoints ({@code hourstone.strict=requests}). */
public enum PathDialect {
  HOURSTONE,
  OPENTSDB {
    /** In OpenTSDB it belongs to the path after the endpoint's name. */
    @Override
    public String withoutSlash(String path) {
      return path;
    }

    /** OpenTSDB ignores what follows the name of most endpoints. */
    @Override
    public boolean hasEndpointAbove(String path) {
      return path.matches("/(api/)?\\w+/.*") && !path.matches("/api/(search|tree|uid)/[^/]*");
    }

    /** OpenTSDB doesn't name it. */
    @Override
    public ApiException noEndpoint(String path) {
      return new ApiException(
          ApiException.NOT_FOUND,
          path.startsWith("/api/tree/") ? "This endpoint is not supported" : NO_ENDPOINT);
    }

    /** OpenTSDB reports it as its own fault. */
    @Override
    public ApiException noUidEndpoint(String path) {
      return new ApiException(
          ApiException.NOT_IMPLEMENTED, "Other UID endpoints have not been implemented yet");
    }

    /** OpenTSDB doesn't look at the method, or takes another endpoint for it. */
    @Override
    public boolean takesAnyMethod() {
      return true;
    }

    /** OpenTSDB doesn't. */
    @Override
    public boolean namesMethods() {
      return false;
    }

    /** OpenTSDB has none. */
    @Override
    public boolean hasDoors() {
      return false;
    }

    /** OpenTSDB has it since version 2.5. */
    @Override
    public boolean hasStatus() {
      return false;
    }

    /** OpenTSDB takes each byte for a character. */
    @Override
    public boolean readsUtf8Targets() {
      return false;
    }
  };

  private static final String API = "/api/";
  private static final String NO_ENDPOINT = "Endpoint not found";

  /** A path of the API without a slash at its end, which some clients have in their settings. */
  public String withoutSlash(String path) {
    return path.endsWith("/") && path.startsWith(API) && !path.equals(API)
        ? path.substring(0, path.length() - 1)
        : path;
  }

  /** Whether an unknown path may be that of the endpoint above it. */
  public boolean hasEndpointAbove(String path) {
    return false;
  }

  /** No endpoint has this path. */
  public ApiException noEndpoint(String path) {
    return new ApiException(
        ApiException.NOT_FOUND, NO_ENDPOINT, "The requested endpoint was not found: " + path);
  }

  /** No endpoint has this path, which is below that of UIDs. */
  public ApiException noUidEndpoint(String path) {
    return noEndpoint(path);
  }

  /** Whether endpoints that only read, or are older than the API, take requests of any method. */
  public boolean takesAnyMethod() {
    return false;
  }

  /** Whether the refusal of a method names those that are taken. */
  public boolean namesMethods() {
    return true;
  }

  /** Whether there are protocols other than OpenTSDB's. */
  public boolean hasDoors() {
    return true;
  }

  /** Whether {@code /api/status} and telnet's {@code status} are known. */
  public boolean hasStatus() {
    return true;
  }

  /** Whether a request target with bytes beyond ASCII is in UTF-8. */
  public boolean readsUtf8Targets() {
    return true;
  }
}
