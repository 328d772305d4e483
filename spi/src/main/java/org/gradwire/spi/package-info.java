/**
 * The extension points of Gradwire.
 *
 * <p><b>A backend</b> implements {@link org.gradwire.spi.BackendProvider} and {@link
 * org.gradwire.spi.RpcAgent}: it moves {@link org.gradwire.spi.Message}s between workers and does
 * not interpret them. <b>An extension</b> implements {@link org.gradwire.spi.RpcExtensionProvider}
 * and adds, for each worker, codecs ({@link org.gradwire.spi.ValueCodec}), interceptors ({@link
 * org.gradwire.spi.CallInterceptor}) and handlers of its message types ({@link
 * org.gradwire.spi.RequestHandler}). <b>A library of operators</b> implements {@link
 * org.gradwire.spi.OperatorProvider}.
 *
 * <p><b>Threads.</b> A backend has its own threads, the <em>pollers</em>. Code on a poller must be
 * short, must not block and must not call user code; each type says whether its methods run there.
 */
@NullMarked
package org.gradwire.spi;

import org.jspecify.annotations.NullMarked;
