package com.example.shop

import org.gradwire.junit.GradwireWorkers
import org.gradwire.rpc.RemoteCallable
import org.gradwire.rpc.Rpc
import org.gradwire.rpc.RpcFunction
import org.gradwire.rpc.TypeMismatchException
import org.junit.jupiter.api.Assertions.assertEquals
import org.junit.jupiter.api.Assertions.assertTrue
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.assertThrows

@RemoteCallable
fun sum(a: Long, b: Double, c: Int): Double = a + b + c

@RemoteCallable
fun note(text: String) {
    noted = text
}

@Volatile private var noted = ""

@RemoteCallable
fun lastNote(): String? = noted.ifEmpty { null }

@RemoteCallable
class Box(private val content: String) {
    fun content(): String = content

    fun quoted(): String = "'$content'"

    fun repeated(times: Int): String = content.repeat(times)
}

object Jobs {
    @JvmStatic
    @RemoteCallable
    fun twice(number: Int): Int = 2 * number
}

/** Kinds of function references that Kotlin can pass to a call. */
@GradwireWorkers(2)
class ReferencesTest {
    @Test
    fun `functions of a file, with and without results`(rpc: Rpc) {
        assertEquals(6.5, rpc.rpcSync("worker1", ::sum, 1L, 2.5, 3))
        assertEquals(null, rpc.rpcSync("worker1", ::lastNote))
        rpc.rpcSync("worker1", ::note, "hello")
        assertEquals("hello", rpc.rpcAsync("worker1", ::lastNote).toCompletableFuture().join())
        rpc.rpcSync("worker1", ::note, "")
    }

    @Test
    fun `constructors and functions of classes`(rpc: Rpc) {
        rpc.remote("worker1", ::Box, "ab").use { box ->
            assertEquals("ab", box.rpcSync(Box::content))
            assertEquals("ababab", box.rpcSync(Box::repeated, 3))
            assertEquals("ababab", box.rpcAsync(Box::repeated, 3).toCompletableFuture().join())
        }
    }

    @Test
    fun `references that are chosen at one place`(rpc: Rpc) {
        rpc.remote("worker1", ::Box, "a").use { box ->
            val results = listOf(Box::content, Box::quoted).map { box.rpcSync(it) }
            assertEquals(listOf("a", "'a'"), results)
        }
    }

    @Test
    fun `static functions of an object`(rpc: Rpc) {
        assertEquals(8, rpc.rpcSync("worker1", Jobs::twice, 4))
    }

    @Test
    fun `lambdas are refused`(rpc: Rpc) {
        val three = 3
        val lambdas =
            listOf<RpcFunction.Function1<Int, Int>>(
                RpcFunction.Function1 { it + 1 },
                RpcFunction.Function1 { Jobs.twice(it + 1) },
                RpcFunction.Function1 { Jobs.twice(three) },
                RpcFunction.Function1 { if (it > 0) Jobs.twice(it) else 0 },
            )
        for (lambda in lambdas) {
            val refusal = assertThrows<TypeMismatchException> { rpc.rpcSync("worker1", lambda, 1) }
            assertTrue(refusal.message!!.startsWith("a lambda in "), refusal.message)
        }
    }
}
