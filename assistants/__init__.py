"""The insides of mcp_server: the tools that an assistant calls, and how it calls them over stdio and HTTP."""
