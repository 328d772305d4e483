package com.example.shop

import org.gradwire.rpc.Rpc
import org.gradwire.rpc.RpcOptions

/** A worker; its rank is in its environment. */
fun main() {
    Rpc.init(RpcOptions.fromEnvironment()).use { rpc ->
        if (rpc.self().id() == 0) {
            buy(rpc)
            JavaCustomer.buy(rpc)
        }
    }
}

private fun buy(rpc: Rpc) {
    val items = listOf(Item("pears", 3), Item("plums", 2))
    println("Kotlin: 3 pears and 2 plums cost ${rpc.rpcSync("worker1", ::price, items)} cents")
    rpc.remote("worker1", ::Till).use { till ->
        till.rpcSync(Till::sell, items[0])
        println("Kotlin: worker1 has sold ${till.rpcSync(Till::sell, items[1])} items")
    }
}
